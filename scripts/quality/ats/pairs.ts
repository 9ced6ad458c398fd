export interface AtsPair {
  profession: string;
  job: string;
  /** Has what the job asks for. */
  strong: string;
  /** Of the same trade, but lacks much of what the job asks for. */
  partial: string;
}

/** Own texts: one job, and two users who apply for it, in each of nine professions. */
export const atsPairs: readonly AtsPair[] = [
  {
    profession: 'software engineer',
    job: `Senior Backend Engineer
We build logistics software used by 300 warehouses.
Requirements:
- 5+ years of experience in backend development with Go or Java
- Strong knowledge of relational databases and SQL
- Experience with Kubernetes and Docker in production
- REST APIs and gRPC
- CI/CD pipelines
Nice to have: Kafka, Terraform, AWS.
No experience with PHP required.
Benefits: free lunch, yoga, German lessons.`,
    strong: `Mara Lindqvist, Backend Engineer
Experience
Freightline Systems, Senior Backend Engineer, Mar 2018 - Present
- Built Go services that book 40,000 shipments a day, with gRPC between them and REST towards customers
- Moved all services to Kubernetes; wrote their Docker images and GitHub Actions pipelines
- Tuned PostgreSQL queries and SQL schemas, cutting the slowest report from 9 minutes to 20 seconds
- Introduced Apache Kafka for stock events and Terraform for AWS
Education
BSc Computer Science, Uppsala University, 2012 - 2015`,
    partial: `Jonas Petri, Web Developer
Experience
Pixelhof, Web Developer, 2019 - Present
- Built web pages with PHP, JavaScript and MySQL for small shops
- Kept the code in Git and deployed it with Docker
- Designed HTML newsletters and WordPress themes
Education
Vocational training in media design, 2016 - 2019`,
  },
  {
    profession: 'nurse',
    job: `Registered Nurse, Medical-Surgical Unit
Responsibilities: direct patient care for up to five patients, medication administration, wound care, patient education and discharge planning.
Requirements: current RN license, BLS certification, two years of acute care experience, IV therapy, electronic health records (Epic or Cerner).
Preferred: ACLS, telemetry, bilingual in Spanish.`,
    strong: `Alicia Romero, RN
Clinical Experience
Mercy General Hospital, Registered Nurse, Medical-Surgical Unit, 06/2019 - Present
- Cares for five acute care patients a shift; administers medications and IV therapy
- Dresses post-operative wounds and teaches patients and families how to go on at home
- Plans discharges with social workers; charts in Epic
- Watches telemetry for step-down patients
Licenses and Certifications
RN License (active), BLS, ACLS
Languages
Spanish, English`,
    partial: `Karen Wu, Certified Nursing Assistant
Experience
Sunrise Home Care, Nursing Assistant (CNA), 2021 - Present
- Helped older adults with bathing, meals and mobility
- Took vital signs and reported changes to the nurse
- Kept paper records of each visit
Certifications
CNA, CPR`,
  },
  {
    profession: 'accountant',
    job: `Staff Accountant
You will own the month-end close, prepare journal entries, reconcile bank and balance sheet accounts, and support the external audit.
Requirements: Bachelor's degree in Accounting, 3 years of experience, US GAAP, advanced Excel (pivot tables), accounts payable and accounts receivable, experience with an ERP system.
CPA or CPA candidate preferred. Variance analysis is a plus.`,
    strong: `Priya Nair
Staff Accountant
Work Experience
Harbor Foods Inc., Staff Accountant, Jan 2019 - Present
- Closes the books for three entities within five days each month, with 120 journal entries
- Performs bank reconciliations and balance sheet reconciliation under US GAAP
- Runs accounts payable and accounts receivable in NetSuite; explains variances to managers
- Prepared schedules for the external audit; builds Excel models with pivot tables
Education
Bachelor of Science in Accounting, 2014 - 2018
CPA candidate (three of four parts passed)`,
    partial: `Tom Bell
Office Clerk
Experience
Bell Hardware, Office Clerk, 2020 - Present
- Typed invoices and filed receipts
- Answered the phone and ordered office supplies
- Entered bills in QuickBooks for the owner
- Kept a petty cash list in Excel
Education
High school diploma`,
  },
  {
    profession: 'salesperson',
    job: `Account Executive, B2B Software
What you'll do: prospecting and cold calling, run product demos, negotiate contracts and close deals, keep the sales pipeline in Salesforce.
What we're looking for: 3+ years of B2B sales, proven quota attainment, CRM experience, excellent presentation skills, account management.
Nice to have: HubSpot, solution selling, French.`,
    strong: `Derek Osei
Account Executive
Experience
Cloudledger, Account Executive, 2019 - Present
- Reached 118% of quota on average in B2B sales of finance software
- Opened 60 accounts by prospecting and cold calls, and gave product demonstrations to boards
- Negotiated contracts of up to $400,000 and closed deals in an average of 70 days
- Keeps the pipeline in Salesforce; manages 25 key accounts
Skills
Solution selling, presentations, HubSpot, French`,
    partial: `Lena Graf
Sales Assistant
Experience
Schuhhaus Graf, Sales Assistant, 2018 - Present
- Advised customers in the shop and handled the cash register
- Decorated shop windows each season
- Took part in stock taking
- Won the team prize for customer service in 2021`,
  },
  {
    profession: 'marketer',
    job: `Digital Marketing Manager
You plan and run campaigns across paid and owned channels.
Must have: SEO, Google Ads, Google Analytics, email marketing, content marketing, budget management.
Experience with A/B testing and marketing automation required. You report KPIs to stakeholders.
Preferred: HubSpot, WordPress, copywriting.`,
    strong: `Sofia Marino
Digital Marketing Manager
Experience
Verde Outdoor, Digital Marketing Manager, 2017 - Present
- Raised organic traffic by 85% with SEO and content marketing on WordPress
- Runs Google Ads with a budget of 600,000 euros; budget management and forecasts each quarter
- Set up marketing automation and email campaigns in HubSpot; A/B testing of each landing page
- Reports KPIs from Google Analytics to stakeholders
- Writes and edits copy: ten years of copywriting`,
    partial: `Ben Okafor
Event Assistant
Experience
Cityfair GmbH, Event Assistant, 2020 - Present
- Helped to organise trade fairs with up to 300 visitors
- Posted pictures on social media
- Wrote invitations and press releases
- Ordered printed flyers and roll-ups`,
  },
  {
    profession: 'designer',
    job: `Product Designer (UX/UI)
Requirements: portfolio of UX design and UI design, Figma, wireframing, prototyping, user research, usability testing, design systems, accessibility (WCAG).
You work closely with front-end developers; basic HTML and CSS is a plus. Motion graphics would be great.`,
    strong: `Yuki Tanaka
Product Designer
Experience
Parcelo, Product Designer, 2018 - Present
- Leads UX and UI design of an app with two million users in Figma
- Runs user research and usability testing every two weeks; turns findings into wireframes and prototypes
- Built the design system with front-end developers, to WCAG level AA for accessibility
- Writes HTML and CSS for demos; motion graphics for launches`,
    partial: `Paul Stein
Print Designer
Experience
Druckerei Stein, Print Designer, 2012 - Present
- Sets books and brochures in Adobe InDesign
- Retouches photos in Photoshop
- Prepares files for offset printing and packaging
- Draws logos in Illustrator for local clubs`,
  },
  {
    profession: 'logistics coordinator',
    job: `Logistics Coordinator
Tasks: coordinate inbound and outbound freight, negotiate with carriers, plan routes, prepare customs documentation, control inventory with cycle counts.
Required: 2 years in logistics or supply chain, warehouse management system (WMS), SAP, Excel, Incoterms knowledge.
Forklift license is an advantage.`,
    strong: `Piotr Zielinski
Logistics Coordinator
Employment History
Baltic Parts, Logistics Coordinator, 04/2018 - Present
- Books inbound and outbound freight with twelve carriers; carrier negotiation saved 9% in 2022
- Plans routes for 14 trucks and prepares customs documentation under Incoterms
- Runs cycle counts and inventory control in the WMS and SAP
- Reports supply chain costs in Excel
Licences
Forklift license, driving licence`,
    partial: `Ahmed Saleh
Courier
Experience
Quickbox, Courier, 2019 - Present
- Delivered 120 parcels a day by van
- Loaded and unloaded the van at the depot
- Collected signatures and payments
- Kept the van clean and reported damage
Driving licence class B, no accidents in four years`,
  },
  {
    profession: 'teacher',
    job: `Elementary School Teacher, Grades 3 to 5
We look for a teacher with a valid teaching license.
Responsibilities: lesson planning, classroom management, differentiated instruction, assessing students, communicating with parents.
Required: teaching certificate, elementary education, literacy and mathematics instruction, special education experience (IEPs).
Preferred: Google Classroom, ESL.`,
    strong: `Hannah Brooks
Elementary School Teacher
Teaching Experience
Maple Elementary School, Teacher, Grade 4, 2016 - Present
- Plans lessons in literacy and mathematics for 26 pupils, with differentiated instruction
- Leads classroom management training for new colleagues
- Writes and follows IEPs with the special education team
- Uses student assessment each week and holds parent-teacher conferences
- Teaches ESL in the afternoon; runs Google Classroom
Certifications
State Teaching License, Elementary Education K-6`,
    partial: `Marc Dubois
Swimming Coach
Experience
Aqua Club, Swimming Coach, 2019 - Present
- Trained groups of ten children aged six to twelve
- Planned training hours for the season
- Talked with parents about progress
- First aid certificate; lifeguard since 2018`,
  },
  {
    profession: 'electrician',
    job: `Journeyman Electrician, Commercial
Requirements: journeyman electrician license, knowledge of the National Electrical Code (NEC), conduit bending, reading blueprints, motor controls, troubleshooting, OSHA 10.
You install wiring, panelboards and switchgear in commercial buildings. Solar installation experience is a plus.`,
    strong: `Luis Ortega
Journeyman Electrician
Work History
Volt Brothers, Journeyman Electrician, May 2015 - Present
- Installs wiring, conduit and panelboards in offices and schools to the National Electrical Code
- Reads blueprints and wiring diagrams; conduit bending up to four inches
- Repairs motor controls and variable frequency drives; troubleshooting on call
- Added solar panels to six roofs in 2022
Licenses
State Journeyman Electrician License, OSHA 10`,
    partial: `Dan Miller
Maintenance Helper
Experience
Lakeside Apartments, Maintenance Helper, 2020 - Present
- Changed light bulbs, locks and filters
- Painted flats between tenants
- Cleared drains and mowed the lawn
- Helped the electrician carry tools and pull cables
Hand tools, power tools, ladder safety course`,
  },
];
