import { useState, type FormEvent } from 'react';
import { INSTRUCTION_MAX_CHARACTERS, tones, type RewriteAction } from '#libs/tools/rewrite-text/contract.js';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { actionNames, languages, toneNames, type RewriteChoice } from './actions';

/** Actions for which the user must choose or type an option first. */
export type ActionWithInput = 'tone' | 'translate' | 'instruct';

export const needsInput = (action: RewriteAction): action is ActionWithInput =>
  action === 'tone' || action === 'translate' || action === 'instruct';

const toneOptions = tones.map((value) => ({ value, label: toneNames[value] }));
const languageOptions = languages.map((value) => ({ value, label: value }));

interface ChoiceDialogProps {
  action: ActionWithInput;
  onChoose: (choice: RewriteChoice) => void;
  onClose: () => void;
}

/** Asks for the option of the action: tone, language or instruction. */
export function ChoiceDialog({ action, onChoose, onClose }: ChoiceDialogProps) {
  const [tone, setTone] = useState<(typeof tones)[number]>(tones[0]);
  const [language, setLanguage] = useState<string>('English');
  const [instruction, setInstruction] = useState('');
  const { label } = actionNames[action];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (action === 'tone') onChoose({ action, tone });
    else if (action === 'translate') onChoose({ action, language });
    else if (instruction.trim() !== '') onChoose({ action, instruction: instruction.trim() });
  };
  return (
    <Dialog label={label} onClose={onClose}>
      <h2 aria-hidden="true" className="text-xl">
        {label}
      </h2>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        {action === 'tone' && (
          <RadioChips legend="Tone" name="tone" value={tone} options={toneOptions} onChange={setTone} />
        )}
        {action === 'translate' && (
          <RadioChips
            legend="Language"
            name="language"
            value={language}
            options={languageOptions}
            onChange={setLanguage}
          />
        )}
        {action === 'instruct' && (
          <TextAreaField
            label="What should change?"
            placeholder="Turn it into a list of steps"
            maxLength={INSTRUCTION_MAX_CHARACTERS}
            value={instruction}
            onChange={(event) => setInstruction(event.target.value)}
          />
        )}
        <div>
          <Button
            variant="primary"
            type="submit"
            disabled={action === 'instruct' && instruction.trim() === ''}
          >
            {action === 'translate' ? 'Translate' : 'Rewrite'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
