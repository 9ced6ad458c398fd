import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import { ArticleForm } from './article-form';
import articleSample from './article-sample.md?raw';
import outlineSample from './outline-sample.md?raw';

export default function WriteArticlePage() {
  return (
    <TextToolPage
      tool="generate-article"
      lead="Enter a topic, choose a length, and watch the article being written."
      jobsTitle="Recent articles"
      form={({ engine, showJob }) => <ArticleForm engine={engine} onSubmitted={showJob} />}
      sample={articleSample}
      offlineSample={outlineSample}
      copied="Article copied to clipboard!"
      copyFailed="Failed to copy article"
    />
  );
}
