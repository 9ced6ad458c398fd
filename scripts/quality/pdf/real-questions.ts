import { realDocuments, type RealDocument } from './real-documents.ts';

export interface RealQuestion {
  document: RealDocument;
  question: string;
  /** Words on the page with the answer; null where the document has none. */
  answer: string | null;
}

const about = (document: RealDocument, questions: [string, string | null][]): RealQuestion[] =>
  questions.map(([question, answer]) => ({ document, question, answer }));

const { ccBy, mpl, apache, helmet, yauzl } = realDocuments;

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
  ...about(ccBy, [
    ['Which colours does the logo have?', null],
    ['How old must I be to use the work?', null],
    ['How do I cook rice?', null],
    ['What is the phone number of the author?', null],
  ]),
  ...about(mpl, [
    ['How many employees does the company have?', null],
    ['What does a ticket to the conference cost?', null],
    ['Which programming language is it written in?', null],
    ['When was the last full moon?', null],
  ]),
  ...about(apache, [
    ['What is the fine for paying late?', null],
    ['Who won the football world cup?', null],
    ['How many days of holiday do I get?', null],
    ['How do I reset my password?', null],
  ]),
  ...about(helmet, [
    ['How do I connect to a database?', null],
    ['What does a year of support cost?', null],
    ['How tall is the Eiffel tower?', null],
    ['How do I send an email to new users?', null],
  ]),
  ...about(yauzl, [
    ['How do I play music in the background?', null],
    ['What should a patient eat after surgery?', null],
    ['Which graphics card do I need?', null],
    ['What are the opening hours of the office?', null],
  ]),
];
