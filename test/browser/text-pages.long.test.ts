import { beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { PDF_MAX_BYTES } from '#libs/contract/limits.js';
import { describeWithBrowser } from '../support/available.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { editTogether } from './edit-together.ts';
import {
  clickTwice,
  waitForDraftFile,
  resultText,
  settledViolations,
  waitForStatusMessage,
  type Theme,
} from './visitor.ts';

/** The pages of titles, humanized texts, resume reviews and ATS scores, in a real browser. */
describeWithBrowser('the text pages', () => {
  // The browser logs refused requests, which these tests cause.
  const suite = useBrowserSuite({ allowedComplaints: /status of 4\d\d/ });
  let resume: Buffer;

  beforeAll(async () => {
    resume = await makePdf(resumePages);
  });

  const visit = async (path: string, theme: Theme = 'dark') => (await suite.signedIn({ path, theme })).page;
  const pdf = (name: string, buffer = resume) => ({ name, mimeType: 'application/pdf', buffer });
  const filePicker = (page: Page) => page.locator('input[type=file]');
  const finished = (page: Page, title: string) =>
    page.getByRole('region', { name: 'Result' }).getByRole('heading', { name: title, level: 2 }).waitFor();
  /** Actions that come once the creation is read move the others. */
  const copied = async (page: Page, toast: string) => {
    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/^(Share|Score again)$/)
      .waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await waitForStatusMessage(page, toast);
    return page.evaluate<string>('navigator.clipboard.readText()');
  };

  /** A link fills in a form after it is drawn. */
  const valueToBe = (field: Locator, value: RegExp) =>
    until(`${value} to be filled in`, async () => value.test(await field.inputValue()));

  it('suggests titles for a keyword and a category', async () => {
    const page = await visit('/ai/blog-titles');
    const submit = page.getByRole('button', { name: 'Generate titles' });
    expect(await submit.isDisabled()).toBe(true);
    expect(await page.getByLabel('General').isChecked()).toBe(true);
    await page.getByLabel('Keyword').fill('sourdough');
    await page.getByLabel('Food').check();
    await page.reload();
    expect(await page.getByLabel('Keyword').inputValue()).toBe('sourdough');
    expect(await page.getByLabel('Food').isChecked()).toBe(true);
    expect(await settledViolations(page)).toEqual([]);
    await page.getByLabel('Keyword').press('Enter');
    await waitForStatusMessage(page, 'Title Generated');
    await finished(page, 'Done');
    // Its Markdown may be rendered after the heading.
    await resultText(page).getByRole('listitem').nth(9).waitFor();
    expect(await copied(page, 'Titles copied to clipboard!')).toMatch(/^1\. .*sourdough/);
    await page.getByText('29 of 30 credits left').waitFor();
    expect(await settledViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    await page.keyboard.type('My **own** title: ');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.context().setOffline(true);
    await page.keyboard.type('the best ');
    await page.getByText('Offline: saved on this device').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    expect(await copied(page, 'Titles copied to clipboard!')).toMatch(/^1\. My \*\*own\*\* title: the best /);
    await page.reload();
    await resultText(page).getByText('title: the best').waitFor();
    await page.getByRole('button', { name: 'Versions (2)' }).click();
    await page.getByRole('button', { name: /Compare version 1/ }).click();
    await page.getByText('5 words added, 0 words removed.').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Write the article' }).press('Enter');
    await page.getByRole('menuitem', { name: /^My own title: the best/ }).press('Enter');
    await valueToBe(page.getByLabel('Topic'), /^My own title: the best/);
    await page.goBack();

    await page.evaluate(
      `navigator.clipboard.write = navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`,
    );
    await page.getByRole('button', { name: 'Copy' }).click();
    await waitForStatusMessage(page, 'Failed to copy titles');
  });

  it('rewrites a text, and a part of it beside it, by keys alone', async () => {
    const page = await visit('/ai/rewrite-text');
    const sentence = 'Ada utilized very many tables in 1843.';
    await page.getByLabel('Your text').fill(`${sentence}\n\nShe utilized letters.`);
    await page.getByLabel('Simplify').check();
    await page.getByRole('button', { name: 'Rewrite Text' }).click();
    await finished(page, 'Rewritten Text');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('e');
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    await text.waitFor();
    await page.keyboard.type(`${sentence} `);
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Control+j');
    await page.getByText('Rewrite the selected words').waitFor();
    await page.getByRole('menuitem', { name: 'Simplify' }).press('Enter');
    const suggestion = page.getByRole('group', { name: /^Suggestion for/ });
    const accept = suggestion.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    await suggestion.locator('ins').first().waitFor();
    expect(await text.locator('p').first().textContent()).toContain(sentence);
    expect(await settledViolations(page)).toEqual([]);
    await page.reload();
    await suggestion.locator('ins').first().waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await accept.press('Enter');
    await suggestion.waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await text.locator('p').first().textContent()).not.toContain(sentence);
    await page.keyboard.press('Control+z');
    await text.getByText(sentence).waitFor();
    await page.keyboard.press('Control+y');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Versions/ }).click();
    await page.getByText('Simplified').first().waitFor();
    await page.getByText('28 of 30 credits left').waitFor();
  });

  it('humanizes a text of up to 1000 words', async () => {
    const page = await visit('/ai/humanize-text', 'light');
    const submit = page.getByRole('button', { name: 'Humanize Text' });
    const field = page.getByPlaceholder('Enter your text');
    await page.getByText('0 / 1000 words').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await field.fill('word '.repeat(1_001));
    await page.getByText('1001 / 1000 words').waitFor();
    await page.getByText('Exceeds word limit').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await field.press('Control+Enter');
    await waitForStatusMessage(page, 'Text exceeds 1000 word limit');
    expect(await settledViolations(page)).toEqual([]);
    await field.fill('The shop opened in 1982.\nIt does not keep much in stock.');
    await page.getByText('12 / 1000 words').waitFor();
    expect(await page.getByText('Exceeds word limit').count()).toBe(0);
    await page.getByRole('button', { name: /^Brief/ }).press('Enter');
    await page.getByLabel('Words to avoid').fill('stock');
    await page.getByRole('button', { name: 'Save this brief as a voice' }).click();
    await page.getByLabel('Name of the voice').fill('My shop');
    await page.getByLabel('Name of the voice').press('Enter');
    await waitForStatusMessage(page, 'Voice “My shop” saved');
    await page.getByLabel('Words to avoid').fill('');
    await page.getByLabel('Voice', { exact: true }).selectOption('None');
    await page.getByLabel('Voice', { exact: true }).selectOption('My shop');
    await valueToBe(page.getByLabel('Words to avoid'), /^stock$/);
    expect(await settledViolations(page)).toEqual([]);
    await submit.click();
    await finished(page, 'Humanized Text');
    await waitForStatusMessage(page, 'Text humanized successfully');
    await page.getByText('Flesch reading ease').waitFor();
    await page.getByText('“stock” is still in the text, though your brief avoids it.').waitFor();
    expect(await copied(page, 'Copied to clipboard!')).toContain('1982');
    expect(await settledViolations(page)).toEqual([]);
  });

  it('shows beside the field that a file is not a PDF, and reviews a resume', async () => {
    const page = await visit('/ai/review-resume');
    const submit = page.getByRole('button', { name: 'Review Resume' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/ai/')) sent.push(request.headers()['content-type'] ?? '');
    });
    await page.getByText('Select PDF or Word file').waitFor();
    await page.getByText('Supports PDF and Word (.docx) files').waitFor();
    expect(await submit.isDisabled()).toBe(true);

    await filePicker(page).setInputFiles({
      name: 'cv.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    });
    await page
      .getByText('“cv.txt” cannot be used. Only PDF and Word (.docx) files are accepted here.')
      .waitFor();
    await filePicker(page).setInputFiles(pdf('big.pdf', Buffer.alloc(PDF_MAX_BYTES + 1, '%PDF-')));
    await page.getByText('“big.pdf” is too large: 5.1 MB. Resumes may have up to 5 MB.').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    expect([await submit.isDisabled(), sent]).toEqual([true, []]);

    await filePicker(page).setInputFiles(pdf('renamed.pdf', Buffer.from('no PDF at all')));
    await submit.click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Only PDF and Word (.docx) files are accepted here.' })
      .waitFor();
    await page.getByText('30 of 30 credits left').waitFor();

    await page.getByRole('button', { name: 'Remove renamed.pdf' }).click();
    await page.getByText('Select PDF or Word file').waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Browse' }).press('Enter'),
    ]);
    await chooser.setFiles(pdf('mara.pdf'));
    await page.getByText('mara.pdf').waitFor();
    await waitForDraftFile(page, 'mara.pdf');
    await page.reload();
    await page.getByText('mara.pdf').waitFor();
    await clickTwice(submit);
    await finished(page, 'Analysis Results');
    await waitForStatusMessage(page, 'Resume reviewed successfully');
    expect(sent.every((type) => type.startsWith('multipart/form-data; boundary='))).toBe(true);
    expect(await copied(page, 'Copied to clipboard!')).toContain('# Resume review');
    await page.getByText('29 of 30 credits left').waitFor();
    expect(await settledViolations(page)).toEqual([]);
  });

  it('scores a resume against a job description, and keeps both over a reload', async () => {
    const page = await visit('/ai/calculate-ats-score', 'light');
    await page.setViewportSize({ width: 390, height: 844 });
    const submit = page.getByRole('button', { name: 'Calculate ATS Score' });
    await page
      .getByText('Upload your resume and job description to calculate your ATS compatibility score')
      .waitFor();
    await page.getByText('Maximum file size: 5MB').waitFor();
    await page.getByLabel('Job description').fill('We need Kubernetes.');
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Job description').press('Control+Enter');
    await waitForStatusMessage(page, 'Please upload a resume and enter a job description');
    await page.getByLabel('Job description').fill('');
    await filePicker(page).setInputFiles(pdf('mara.pdf'));
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Job description').fill('We need Kubernetes and Docker, and Ansible.');
    await waitForDraftFile(page, 'mara.pdf');
    await page.reload();
    await page.getByText('mara.pdf').waitFor();
    await clickTwice(submit);
    await finished(page, 'ATS Results');
    await waitForStatusMessage(page, 'ATS Score Calculated');
    await page.getByRole('meter', { name: 'Overall ATS Score' }).waitFor();
    await page.getByText('you have 29').waitFor();
    const card = (skill: string) => page.getByRole('listitem').filter({ hasText: skill });
    expect(await card('Kubernetes').first().innerText()).toMatch(/MATCH[^]*Resume, page 1/);
    expect(await card('Ansible').first().innerText()).toMatch(/MISSING[^]*Job description/);
    expect(await copied(page, 'Copied to clipboard!')).toMatch(/^ATS Score: \d+\/100\n\nFeedback: /);
    expect(await settledViolations(page)).toEqual([]);
  });

  it('goes from a score to bullets and a letter, with resume and job filled in', async () => {
    const page = await visit('/ai/calculate-ats-score');
    await filePicker(page).setInputFiles(pdf('mara.pdf'));
    await page.getByLabel('Job description').fill('We need Kubernetes and Docker, and Ansible.');
    await page.getByRole('button', { name: 'Calculate ATS Score' }).click();
    await finished(page, 'ATS Results');
    const next = page.getByRole('navigation', { name: 'Next steps' });
    await next.getByRole('link', { name: 'Tailor its bullets' }).press('Enter');
    await page.getByText('Your resume is still here').waitFor();
    await page.getByText('mara.pdf').first().waitFor();
    await valueToBe(page.getByLabel('Job description'), /Ansible/);
    await until('the focus there', () =>
      page.evaluate<boolean>(`document.activeElement.tagName === 'TEXTAREA'`),
    );
    await page.getByRole('button', { name: 'Tailor Bullets' }).click();
    await finished(page, 'Tailored Bullets');
    await resultText(page).getByText('Resume, page 1:').first().waitFor();
    expect(await copied(page, 'Bullets copied without sources')).not.toMatch(/Resume, page|Ansible/);
    expect(await settledViolations(page)).toEqual([]);
    // As in another browser: the creation has the job.
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await next.getByRole('link', { name: 'Write a cover letter' }).click();
    await page.getByText('mara.pdf').first().waitFor();
    await valueToBe(page.getByLabel('Job description'), /Ansible/);
    await page.getByRole('button', { name: 'Write Cover Letter' }).click();
    await finished(page, 'Cover Letter');
    expect(await copied(page, 'Letter copied without sources')).toMatch(
      /^Dear hiring team,[^]*Mara Lindqvist\s*$/,
    );
    expect(await settledViolations(page)).toEqual([]);
  });

  it('keeps every word of two browsers that edit one text while their connections break', async () => {
    suite.allowComplaints(/ERR_CONNECTION_RESET|ERR_FAILED/);
    const { page, context, account } = await suite.newUser();
    const text = Array.from({ length: 6 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
    const { creationId } = await account.post<{ creationId: string }>('/api/ai/rewrite-text', {
      data: { text, action: 'fix' },
    });
    const other = await suite.visit();
    await other.context.addCookies(await context.cookies());
    for (const each of [page, other.page]) await each.goto(`/ai/creations/${creationId}`);
    const written = await editTogether([page, other.page], { seed: 7, seconds: 6 });
    expect(written.words.length).toBeGreaterThan(5);
    expect(written.words.filter((word) => !written.text.includes(word))).toEqual([]);
    const { creation } = await account.get<{ creation: { content: string } }>(
      `/api/user/creations/${creationId}`,
    );
    expect(written.words.filter((word) => !creation.content.includes(word))).toEqual([]);
  });

  it('keeps the input when the credits are used up', async () => {
    const page = await visit('/ai/blog-titles');
    const message = 'You have no credits left this month. They renew on December 1.';
    await page.route('**/api/ai/**', (route) =>
      route.fulfill({
        status: 402,
        json: { success: false, code: 'INSUFFICIENT_CREDITS', message, requestId: 'r' },
      }),
    );
    await page.getByLabel('Keyword').fill('sourdough');
    await page.getByRole('button', { name: 'Generate titles' }).click();
    await page.getByText('This month’s credits are used up').waitFor();
    expect(await page.getByLabel('Keyword').inputValue()).toBe('sourdough');
    expect(await settledViolations(page)).toEqual([]);
  });
});
