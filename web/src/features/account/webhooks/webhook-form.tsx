import { useState } from 'react';
import {
  WEBHOOK_URL_MAX_CHARACTERS,
  type NewWebhook,
  type WebhookEventType,
} from '#libs/contract/webhooks.js';
import { Checkbox } from '../../../shared/ui/checkbox';
import { DialogButtons } from '../../../shared/ui/dialog-buttons';
import { Notice } from '../../../shared/ui/notice';
import { TextField } from '../../../shared/ui/text-field';
import { eventLabels, eventsInOrder } from './event-labels';

interface WebhookFormProps {
  title: string;
  submitLabel: string;
  initial: NewWebhook;
  busy: boolean;
  error: Error | null;
  onSubmit: (settings: NewWebhook) => void;
  onClose: () => void;
}

/** Address and events of a webhook, in a dialog. */
export function WebhookForm(props: WebhookFormProps) {
  const { title, submitLabel, initial, busy, error, onSubmit, onClose } = props;
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState<WebhookEventType[]>(initial.events);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ url, events });
      }}
      className="grid gap-5"
    >
      <h2 aria-hidden="true" className="pr-10 text-2xl">
        {title}
      </h2>
      <TextField
        label="Address"
        hint="Where your program receives events: https://…"
        type="url"
        dir="ltr"
        value={url}
        maxLength={WEBHOOK_URL_MAX_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <fieldset>
        <legend className="font-semibold">Send when</legend>
        {eventsInOrder.map((type) => (
          <Checkbox
            key={type}
            checked={events.includes(type)}
            onChange={({ currentTarget }) =>
              setEvents((chosen) =>
                currentTarget.checked ? [...chosen, type] : chosen.filter((other) => other !== type),
              )
            }
          >
            {eventLabels[type]}
          </Checkbox>
        ))}
      </fieldset>
      {error && <Notice tone="danger">{error.message}</Notice>}
      <DialogButtons busy={busy} disabled={url.trim() === '' || events.length === 0} onClose={onClose}>
        {submitLabel}
      </DialogButtons>
    </form>
  );
}
