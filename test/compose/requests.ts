import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { inRoot } from '../../scripts/stack/root.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import type { ToolName } from '#libs/tools/catalogue.js';
import type { Body, User } from './user.ts';

const JOB = 'We look for an engineer with Kubernetes, Terraform and Ansible. Kafka is a plus.';
const STIFF =
  'It is important to note that Ada Lovelace wrote 3 letters in 1843. Furthermore, she utilized tables.';

/** One request for each tool, in an order in which all succeed. The user gets a notebook with a note. */
export async function requests(user: User): Promise<Record<ToolName, Body>> {
  const resume = file(await makePdf(resumePages), 'mara.pdf', 'application/pdf');
  const report = file(
    await makePdf(['The lamp has a range of nineteen nautical miles.']),
    'report.pdf',
    'application/pdf',
  );
  const image = file(await ball(), 'ball.png', 'image/png');
  const photograph = readFileSync(inRoot('scripts/quality/images/photographs/flower.jpg'));
  const notebook = await addNotebook(user, report);
  return {
    'generate-article': { json: { prompt: 'Tidal power', length: 800 } },
    'generate-blog-title': { json: { prompt: 'house plants', category: 'Lifestyle' } },
    'humanize-text': { json: { text: STIFF } },
    'rewrite-text': { json: { text: STIFF, action: 'simpler' } },
    'resume-review': { form: { resume } },
    'calculate-ats-score': { form: { resume, jobDescription: JOB } },
    'tailored-bullets': { form: { resume, jobDescription: JOB } },
    'cover-letter': { form: { resume, jobDescription: JOB } },
    'generate-image': { json: { prompt: 'a fox in the snow', style: 'Cartoon style' } },
    'remove-image-background': { form: { image: file(photograph, 'flower.jpg', 'image/jpeg') } },
    'remove-image-object': { form: { image, object: 'ball' } },
    'chat-with-pdf': { form: { pdf: report, message: 'What is the range of the lamp?', chatHistory: '[]' } },
    'add-notebook-document': { form: { document: report, notebook_id: notebook.id } },
    'ask-notebook': { json: { notebook_id: notebook.id, message: 'What is the range of the lamp?' } },
    'summarise-document': { json: { document_id: notebook.documentId } },
    'notes-to-text': { json: { notebook_id: notebook.id } },
  };
}

/** Adds a notebook with one document and one note. */
async function addNotebook(user: User, report: Blob): Promise<{ id: string; documentId: string }> {
  const { notebook } = await user.post<{ notebook: { id: string } }>('/api/notebooks', {
    name: 'Lighthouses',
  });
  const form = { notebook_id: notebook.id, document: report };
  const job = await user.ended((await user.submit('add-notebook-document', { form })).id);
  await user.post(`/api/notebooks/${notebook.id}/notes`, { content: 'Nineteen miles [1, p. 1].' });
  return { id: notebook.id, documentId: job.result?.documentId as string };
}

const file = (bytes: Buffer, name: string, type: string) => new File([new Uint8Array(bytes)], name, { type });

const ball = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="#3a6fb5"/><circle cx="80" cy="60" r="30" fill="#cf3a22"/></svg>',
    ),
  )
    .png()
    .toBuffer();
