import { realDocuments, type RealDocument } from './real-documents.ts';

export interface RealQuestion {
  document: RealDocument;
  question: string;
  /** Words on each of the pages that answer; null where the document has no answer. */
  answers: string[] | null;
}

const about = (document: RealDocument, questions: [string, ...string[]][]): RealQuestion[] =>
  questions.map(([question, ...answers]) => ({ document, question, answers }));

const noneIn = (document: RealDocument, questions: string[]): RealQuestion[] =>
  questions.map((question) => ({ document, question, answers: null }));

const { ccBy, mpl, apache, helmet, yauzl, piscina, lighthouse, smtp, tesseract, conduct, ofl } =
  realDocuments;

/** As people ask who do not know the document's wording. */
export const answerable: RealQuestion[] = [
  ...about(ccBy, [
    ['When does my permission end?', 'terminate automatically'],
    ['How many days do I have to fix a violation?', 'within 30 days of Your discovery'],
    ['May I suggest that the author endorses me?', 'sponsored, endorsed, or granted official status'],
    ['Do I have to pay anything to use the work?', 'worldwide, royalty-free'],
    ['Do I have to mention it when I changed the work?', 'indicate if You modified the Licensed Material'],
    ['Who is liable for losses and damages?', 'IN NO EVENT WILL THE LICENSOR BE LIABLE'],
    ['Does it cover patents?', 'Patent and trademark rights are not licensed'],
    ['Is music in a video counted as adapted material?', 'synched in timed relation with a moving image'],
    ['What information must I give to credit the author?', 'identification of the creator(s)'],
    ['Which rights do I have in a database?', 'extract, reuse, reproduce, and Share all'],
    ['Who is meant by the licensor?', 'entity(ies) granting rights under this Public License'],
    ['Which sections stay in force after the end?', 'survive termination of this Public License'],
    ['Can a link be enough for attribution?', 'providing a URI or hyperlink to a resource'],
  ]),
  ...about(mpl, [
    ['What is a larger work?', '"Larger Work"'],
    ['How much may it cost recipients to get the source code?', 'no more than the cost of distribution'],
    ['What happens if I sue someone for patent infringement?', 'You initiate litigation against any entity'],
    ['Which court is responsible for disputes?', 'principal place of business'],
    ['Who can publish new versions of the licence?', 'is the license steward'],
    ['Am I allowed to sell support?', 'charge a fee for, warranty, support'],
    ['What must I do if a court order stops me from complying?', 'judicial order, or regulation'],
    ['What does control of a company mean?', 'fifty percent'],
    ['Who has to pay for repairs if the software is broken?', 'assume the cost of any necessary servicing'],
    ['Can I remove copyright notices?', 'alter the substance of any license notices'],
    ['How long after my first violation are my rights given back for good?', 'prior to 60 days'],
    ['What if a part of the licence is invalid?', 'held to be unenforceable'],
  ]),
  ...about(apache, [
    ['When do I lose my patent licence?', 'patent litigation against any entity'],
    ['Can I use the trademark of the project?', 'permission to use the trade names'],
    ['How do I have to mark files that I modified?', 'carry prominent notices'],
    ['What is the notice file for?', '"NOTICE" text file as part'],
    ['May I charge for a warranty?', 'fee for, acceptance of support'],
    [
      'Which licence applies to my contributions?',
      'intentionally submitted for inclusion in the Work by You',
    ],
    ['Does a message on a mailing list count as a contribution?', 'electronic mailing lists'],
  ]),
  ...about(helmet, [
    ['How can I protect against clickjacking?', 'mitigate clickjacking'],
    ['How do I keep visitors on HTTPS?', 'prefer HTTPS instead of insecure HTTP'],
    ['Why do I get problems on localhost in Safari?', 'Safari will upgrade'],
    ['What stops browsers from sniffing file types?', 'MIME type sniffing'],
    ['Does Helmet validate the content security policy?', 'very little validation on your CSP'],
    ['What is the header for Internet Explorer?', 'specific to Internet Explorer 8'],
    ['How many headers are set by default?', '13 HTTP response headers'],
  ]),
  ...about(yauzl, [
    ['How do I keep memory usage low for archives with many files?', 'keep memory usage under control'],
    ['What is done about backslashes in file names?', 'non-conformant zipfiles with backslashes'],
    ['Can I read a zip file over the network?', 'translate read calls into network requests'],
    ['How do I defend against zip bombs?', 'zip bomb'],
    ['Does it work with zip files made on a Mac?', 'Mac Archive Utility'],
    ['Why is there no streaming?', 'insists on correctness and adherence'],
    ['How large can a ZIP64 file be?', '8PiB'],
    ['Is encryption supported?', 'Strong Encryption'],
  ]),
  ...about(piscina, [
    ['How many jobs may wait in line at most?', 'By default, there is no limit'],
    [
      'How long does an unused thread stay alive?',
      'is allowed to be idle',
      'idle threads are shutdown immediately',
    ],
    ['What if a worker needs time to start before it can take work?', 'longer while the worker initializes'],
    ['How is the load of the pool worked out?', 'dividing the approximate total'],
    ['What is the difference between closing and destroying the pool?', 'will abort them immediately'],
    ['How do I hand over large data without copying it?', 'rather than cloned'],
    ['How long are running jobs given to end when I close it?', 'complete all in-flight tasks'],
    ['Can I limit the memory of a thread?', 'main heap in MB', 'enforcing memory resource limits'],
    ['In which order is waiting work taken?', 'first-in-first-out'],
    ['What happens to code that I did not await?', 'will be resumed on the next call'],
  ]),
  ...about(lighthouse, [
    ['I am new here, what should I work on first?', 'good candidates for those new to the code'],
    ['How long should the text of an audit be?', 'as short as possible'],
    ['What do I have to sign as an employee of a company?', 'sign a corporate CLA'],
    ['Where do I send corrections of the manual?', 'submit it in the developer.chrome.com repo'],
    ['How do I name my pull request?', 'type(scope): message subject'],
    ['Why are gatherers hard to unit test?', 'without extensive mocking'],
    ['How do I put a picture into a readme?', 'use the absolute path to the image'],
    ['How do the developers hear of crashes at users?', 'We track our errors in the wild with Sentry'],
    ['Which severity is right for a crash without a report?', 'caused Lighthouse to exit early'],
    ['What if the proto tests fail on my machine?', 'you may need to install protobuf'],
  ]),
  ...about(smtp, [
    ['Where do I send a report in secret?', 'Report privately through one of the following channels'],
    ['How soon will I get an answer?', 'no guaranteed response or resolution time'],
    ['Are findings of a chatbot accepted?', 'AI tools are welcome as research aids'],
    ['Do old releases get fixes?', 'backport patches to older majors'],
    ['Will my name be published?', 'may be credited if they wish'],
    ['May I tell others about a hole before it is closed?', 'not disclose'],
    ['How many people look after the project?', 'maintained by a single person'],
    ['Are mistakes in my own handlers covered?', 'Vulnerabilities in your own application code'],
    ['What has to be in a report?', 'Reports should include'],
    ['Is a failing test proof enough?', 'is not sufficient on its own to establish security impact'],
  ]),
  ...about(tesseract, [
    ['Can it read handwriting?', 'only hold for printed text'],
    ['How do I read a PDF with it?', 'Tesseract.js does not support PDF files'],
    ['Where are the language files kept after the download?', 'store in IndexedDB or fs'],
    ['Who repairs faults of the recognition engine?', 'fixing is outside the scope of this repository'],
    ['Can I use it in a React Native app?', 'not support WebAssembly'],
    ['Why is the output not the same as on the command line?', 'identical to using the Tesseract CLI'],
    ['What if my bundler does not find the worker?', 'manually setting the workerPath'],
    ['How do I teach it a new alphabet?', 'for training instructions'],
  ]),
  ...about(conduct, [
    ['Whom do I tell when somebody bothers me?', 'leaders responsible for enforcement at'],
    ['What follows a first small offence?', 'A private, written warning'],
    ['When is somebody thrown out forever?', 'Demonstrating a pattern of violation'],
    ['Do the rules hold at conferences?', 'online or offline event'],
    ['Is it kept secret who complained?', 'privacy and security of the reporter'],
    ['May I post where somebody lives?', 'private information, such as a physical or email'],
    ['Where does this text come from originally?', 'is adapted from the Contributor Covenant'],
    ['May maintainers delete my comments?', 'right and responsibility to remove, edit, or reject'],
  ]),
  ...about(ofl, [
    ['May I sell the font on its own?', 'sold by'],
    ['Can I keep the name of the font after I changed it?', 'may use the Reserved Font'],
    ['Is a letter that I write with the font under this licence too?', 'any document created using'],
    ['When do I lose the permission?', 'becomes null and void'],
    ['May I mention the designers in an advertisement?', 'used to promote, endorse or advertise'],
    ['Can I ship it together with my program?', 'be bundled,'],
    ['Who counts as an author?', 'refers to any designer'],
    ['Is there a guarantee that the font works?', 'WITHOUT WARRANTY OF ANY KIND'],
  ]),
];

/** The same without any word in common with the answer. */
export const hard: RealQuestion[] = [
  ...about(ccBy, [
    ['What happens if I break the rules?', 'terminate automatically'],
    ['How much time do I have to repair a breach?', 'within 30 days of Your discovery'],
    ['Can I say that the creator supports my project?', 'sponsored, endorsed, or granted official status'],
    [
      'May I remove copy protection in order to use the work?',
      'not to assert any right or authority to forbid',
    ],
    ['Does the author want money for each copy?', 'collect royalties from You'],
    ['Must I tell people that I edited the work?', 'indicate if You modified the Licensed Material'],
    ['Who pays when I lose money because of it?', 'IN NO EVENT WILL THE LICENSOR BE LIABLE'],
    ['May I use the brand name and the inventions too?', 'Patent and trademark rights are not licensed'],
    ['Is a song under a film an adaptation?', 'synched in timed relation with a moving image'],
    ['Can the author stop giving it away later?', 'stop distributing the Licensed Material at any time'],
    ['May I take out most of a collection of data?', 'extract, reuse, reproduce, and Share all'],
    ['Can the creator be named by a nickname in the credits?', 'by pseudonym if designated'],
    ['Does it promise that the work is free of mistakes?', 'OFFERS THE LICENSED MATERIAL AS-IS'],
  ]),
  ...about(mpl, [
    ['What may I charge for handing out the source?', 'no more than the cost of distribution'],
    ['What if I sue somebody because of an invention?', 'You initiate litigation against any entity'],
    ['Where would a court case be held?', 'principal place of business'],
    ['Who may bring out a new edition of this text?', 'is the license steward'],
    ['May I sell a guarantee to my customers?', 'charge a fee for, warranty, support'],
    ['What if a law of my country keeps me from obeying?', 'judicial order, or regulation'],
    ['How large a part of the shares means that someone owns a firm?', 'fifty percent'],
    ['Who bears the cost of fixing bugs?', 'assume the cost of any necessary servicing'],
    ['Do my customers lose their rights when I lose mine?', 'end user license agreements'],
    ['May I delete the copyright lines in the files?', 'alter the substance of any license notices'],
    ['From which day on do I have the permission?', 'the date the Contributor first distributes'],
    ['What if a judge finds one sentence invalid?', 'held to be unenforceable'],
  ]),
  ...about(apache, [
    [
      'What do I lose if I take a developer to court over an invention?',
      'patent litigation against any entity',
    ],
    ['Am I allowed to advertise with the name of the product?', 'permission to use the trade names'],
    ['What must I do with files that I edited?', 'carry prominent notices'],
    ['What do I do with a file of credits that came along?', '"NOTICE" text file as part'],
    ['Can I sell help and guarantees for it?', 'fee for, acceptance of support'],
    [
      'Under which terms are the patches that I send in?',
      'intentionally submitted for inclusion in the Work by You',
    ],
    ['Does a message to a discussion group count as handing something in?', 'electronic mailing lists'],
  ]),
  ...about(helmet, [
    ['How do I stop other sites from showing my pages in a frame?', 'mitigate clickjacking'],
    ['How do I keep visitors on the encrypted connection?', 'prefer HTTPS instead of insecure HTTP'],
    ['Why does my site break on my own machine in Safari?', 'Safari will upgrade'],
    ['How do I stop browsers from guessing the type of a file?', 'MIME type sniffing'],
    ['Does it find mistakes in my policy?', 'very little validation on your CSP'],
    ['Which setting is for an old browser by Microsoft?', 'specific to Internet Explorer 8'],
    ['How many headers does it add out of the box?', '13 HTTP response headers'],
    ['Which one concerns Flash and Acrobat?', 'mostly Adobe products'],
  ]),
  ...about(yauzl, [
    ['How do I use little memory with an archive of very many files?', 'keep memory usage under control'],
    ['Which Microsoft tool writes the wrong slash into names?', 'non-conformant zipfiles with backslashes'],
    ['Can I read an archive that lies on another server?', 'translate read calls into network requests'],
    ['How am I protected from a tiny archive that grows huge?', 'zip bomb'],
    ['Are archives that Apple computers make handled?', 'Mac Archive Utility'],
    ['Why can it not unpack while the file is still coming in?', 'insists on correctness and adherence'],
    ['How large may an archive be at most?', '8PiB'],
    ['Can it open files that are locked by a password?', 'Strong Encryption'],
  ]),
];

/** What the documents do not say. */
export const unanswerable: RealQuestion[] = [
  ...noneIn(ccBy, [
    'Which colours does the logo have?',
    'How old must I be to use the work?',
    'How do I cook rice?',
    'What is the phone number of the author?',
  ]),
  ...noneIn(mpl, [
    'How many employees does the company have?',
    'What does a ticket to the conference cost?',
    'Which programming language is it written in?',
    'When was the last full moon?',
  ]),
  ...noneIn(apache, [
    'What is the fine for paying late?',
    'Who won the football world cup?',
    'How many days of holiday do I get?',
    'How do I reset my password?',
  ]),
  ...noneIn(helmet, [
    'How do I connect to a database?',
    'What does a year of support cost?',
    'How tall is the Eiffel tower?',
    'How do I send an email to new users?',
  ]),
  ...noneIn(yauzl, [
    'How do I play music in the background?',
    'What should a patient eat after surgery?',
    'Which graphics card do I need?',
    'What are the opening hours of the office?',
  ]),
  ...noneIn(piscina, [
    'In which database are the jobs kept?',
    'What does a subscription cost?',
    'How long does bread have to rise?',
  ]),
  ...noneIn(lighthouse, [
    'How much are contributors paid?',
    'Where is the next conference?',
    'Which vaccination do I need for Kenya?',
  ]),
  ...noneIn(smtp, [
    'How do I install it on Windows?',
    'Which port does it use?',
    'Which wine goes with fish?',
  ]),
  ...noneIn(tesseract, [
    'How many pages does it read a minute?',
    'Which scanner should I buy?',
    'When does the train to Vienna leave?',
  ]),
  ...noneIn(conduct, [
    'What is the membership fee?',
    'Who pays for travel to meetings?',
    'How do I prune roses?',
  ]),
  ...noneIn(ofl, [
    'Which letters does the font have?',
    'In which country are disputes settled?',
    'How do I change a bicycle tyre?',
  ]),
];
