import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { drafts } from '../../shared/drafts/drafts';
import { NEW_ACCOUNT, paths } from '../../shared/paths';
import { Button } from '../../shared/ui/button';
import { TextField } from '../../shared/ui/text-field';

const ARTICLE = 'write-article';
/** As the article's form takes it. */
const MAX_CHARACTERS = 4000;

/** A topic for an article, which waits in its form until the visitor has signed in. */
export function TopicForm() {
  const [topic, setTopic] = useState('');
  const navigate = useNavigate();
  return (
    <form
      className="mt-9 flex max-w-lg flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        drafts.write(ARTICLE, { prompt: topic.trim() });
        void navigate(`${paths.tool(ARTICLE)}?${NEW_ACCOUNT}`);
      }}
    >
      <div className="min-w-56 flex-1">
        <TextField
          label="What should it write about?"
          placeholder="The future of remote work in small towns"
          autoComplete="off"
          maxLength={MAX_CHARACTERS}
          value={topic}
          onChange={({ currentTarget }) => setTopic(currentTarget.value)}
        />
      </div>
      <Button type="submit">Write an article</Button>
    </form>
  );
}
