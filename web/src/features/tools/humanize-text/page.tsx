import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import { HumanizeForm } from './humanize-form';
import { HumanizeNotes } from './humanize-notes';
import humanizedSample from './sample.md?raw';

export default function HumanizeTextPage() {
  return (
    <TextToolPage
      tool="humanize-text"
      lead="Paste a stiff text and get it back in natural language, with every fact unchanged."
      jobsTitle="Recent texts"
      form={({ engine, showJob }) => <HumanizeForm engine={engine} onSubmitted={showJob} />}
      title="Humanized Text"
      prompt="Enter your text, then choose Humanize Text."
      sample={humanizedSample}
      notes={({ result, title }) => <HumanizeNotes result={result} title={title} />}
    />
  );
}
