import type { InputFile } from '#libs/contract/files.js';
import type { Documents } from '#libs/documents/documents.js';

/** A resume that is mostly in order, on two pages. */
export const resumePages = [
  `Mara Lindqvist
mara@lindqvist.example | +46 70 123 45 67 | Uppsala, Sweden | linkedin.com/in/maralindqvist
Summary
Backend engineer who builds booking systems for freight companies.
Experience
Freightline Systems, Senior Backend Engineer, Mar 2018 - Present
• Built Go services that book 40,000 shipments a day, with gRPC between them
• Moved all services to Kubernetes and wrote their Docker images
• Responsible for the tuning of PostgreSQL queries, cutting the slowest report by 85%
• Introduced Apache Kafka for stock events and Terraform for AWS
Nordpost, Software Developer, Jan 2014 - Jun 2016
• Maintained a Java application for parcel labels used by 300 shops
• Was given the task to write unit tests for the label printer`,
  `Education
BSc Computer Science, Uppsala University, 2010 - 2013
Skills
Go, Java, SQL, PostgreSQL, Docker, Kubernetes, Kafka, Terraform, AWS, Git
Languages
Swedish, English
References available upon request`,
];

/** A resume whose first 1,000 characters are mostly foreign names. */
export const inEnglishWithForeignNames = `Agnieszka Wiśniewska-Krzyżanowska
${'Kraków, Łódź, Wrocław, Gdańsk, Częstochowa, Rzeszów, Białystok, Bydgoszcz, Zakopane, Świnoujście\n'.repeat(10)}Experience
Engineer, Przedsiębiorstwo Żeglugi, 2018 - Present
• Recieved an award for the best service
• Was given the task to write tests
• Moved all services to other machines
• Wrote the plans that teams follow`;

export const resumeFile = (name = 'mara.pdf'): InputFile => ({
  name,
  type: 'application/pdf',
  bytes: Buffer.alloc(0),
  sha256: 'f'.repeat(64),
});

/** Documents whose every file has these pages. */
export const documentsOf = (pages: string[], columns: number[] = []): Documents =>
  ({
    read: (_userId: string, { name }: InputFile) =>
      Promise.resolve({
        id: 'document',
        name,
        pages,
        scan: null,
        columns,
        labels: null,
        details: null,
        attachments: null,
      }),
  }) as unknown as Documents;
