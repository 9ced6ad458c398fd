/**
 * The server that the stream bench compares Pressroom with: fetches a text and forwards each chunk over socket.io to a page
 * that appends the chunks to one text node.
 */
import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';

const { OPENAI_BASE_URL: providerUrl = '', PORT } = process.env;

const PAGE = `<!doctype html><p id="text"></p><script src="/socket.io/socket.io.js"></script><script>
  const text = document.getElementById('text').appendChild(new Text());
  const socket = io({ transports: ['websocket'] });
  socket.on('piece', (piece) => text.appendData(piece));
  globalThis.start = (prompt) => socket.emit('start', prompt);
</script>`;

const server = createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' });
  response.end(isPage ? PAGE : '{}');
});
new Server(server).on('connection', (socket) => {
  socket.on('start', (prompt: string) => void relay(socket, prompt));
});
server.listen(Number(PORT), '127.0.0.1');

async function relay(socket: Socket, prompt: string): Promise<void> {
  const response = await fetch(`${providerUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: prompt }] }),
  });
  let rest = '';
  for await (const bytes of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + bytes).split('\n\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === 'data: [DONE]') return;
      const { choices } = JSON.parse(line.slice('data: '.length)) as {
        choices: { delta: { content?: string } }[];
      };
      const piece = choices[0]?.delta.content;
      if (piece) socket.emit('piece', piece);
    }
  }
}
