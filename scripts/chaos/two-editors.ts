import { launchBrowser } from '../../test/support/browser.ts';
import { newAccount } from '../../test/browser/account.ts';
import { editTogether } from '../../test/browser/edit-together.ts';
import { newVisitor } from '../../test/browser/visitor.ts';
import { print, styled } from '../stack/terminal.ts';
import { startTemporaryProduct } from '../stack/temporary-product.ts';

const PARAGRAPHS = 8;

/** Two browsers edit one text while their connections break. @returns whether the text has every word */
export async function runTwoEditors(
  { seed, seconds }: { seed: number; seconds: number },
  cleanup: AsyncDisposableStack,
): Promise<boolean> {
  const { address } = await startTemporaryProduct(cleanup);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const [one, other] = [await newVisitor(browser, address), await newVisitor(browser, address)];
  const account = await newAccount(one.context, address, 'Ada Brandt');
  await other.context.addCookies(await one.context.cookies());
  const text = Array.from({ length: PARAGRAPHS }, (_, n) => `It is paragraph ${n} of a text.`).join('\n\n');
  const { creationId } = await account.post<{ creationId: string }>('/api/ai/rewrite-text', {
    data: { text, action: 'simpler' },
  });
  for (const { page } of [one, other]) await page.goto(`/ai/creations/${creationId}`);
  const written = await editTogether([one.page, other.page], { seed, seconds });
  const { creation } = await account.get<{ creation: { content: string } }>(
    `/api/user/creations/${creationId}`,
  );
  const lost = written.words.filter(
    (word) => !creation.content.includes(word) || !written.text.includes(word),
  );
  const { words, conflicts, cuts } = written;
  print(
    `${words.length} words in ${seconds} s, ${cuts} interrupted requests, ${conflicts} conflicts (seed ${seed}).`,
  );
  print(
    lost.length === 0
      ? `${styled('green', '✓')} Both browsers and the server have every word.`
      : `${styled('red', '✗')} Lost: ${lost.join(', ')}`,
  );
  return lost.length === 0;
}
