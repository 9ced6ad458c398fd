/** Finance, sales, marketing, people, projects and offices. The notation is explained in `skills.ts`. */
export const business = `
Microsoft Office | MS Office, Office 365, Microsoft 365
Microsoft Excel | =Excel, MS Excel, pivot tables, VLOOKUP, spreadsheets
Microsoft Word | MS Word
Microsoft PowerPoint | PowerPoint
Microsoft Outlook | MS Outlook
Google Workspace | G Suite, Google Sheets, Google Docs
Accounting | accountancy
Bookkeeping
Accounts payable | =AP, A/P
Accounts receivable | =AR, A/R
General ledger | journal entries
Month-end close | month end closing, monthly close, financial close, year-end close, closing the books
Account reconciliation | bank reconciliation, bank reconciliations, account reconciliations, reconciling accounts, balance sheet reconciliation
Financial reporting | financial statements
Financial analysis | financial analyses
Financial modeling | financial modelling, DCF, valuation models
Budgeting | budget preparation, budget management
Forecasting | financial forecasting
Variance analysis
Cost accounting
Tax preparation | tax returns, tax filing, corporate tax, income tax
Value added tax | =VAT, sales tax
Payroll | payroll processing
Auditing | internal audit, external audit, audits
Internal controls | Sarbanes-Oxley, SOX
US GAAP | GAAP
IFRS
Certified Public Accountant | =CPA
ACCA
Chartered Financial Analyst | =CFA
Accounting software > QuickBooks, Xero, Sage, NetSuite, FreshBooks
QuickBooks
Xero
=Sage | Sage 50, Sage Intacct
NetSuite
FreshBooks
SAP | SAP S/4HANA, SAP FICO
Oracle ERP | Oracle Financials, PeopleSoft
Microsoft Dynamics | Dynamics 365
ERP systems | ERP, enterprise resource planning > SAP, Oracle ERP, Microsoft Dynamics, NetSuite
Invoicing | billing, invoices
Cash flow management | cash flow
Treasury
Risk management | risk assessment
Credit analysis | credit risk
Investment analysis | portfolio management
Due diligence
Mergers and acquisitions | M&A
Anti-money laundering | =AML, =KYC, know your customer
Regulatory compliance | compliance
Underwriting
Insurance claims | claims handling, claims processing
Bloomberg Terminal
Procurement | purchasing, sourcing
Vendor management | supplier management, supplier relationships
Contract negotiation | contract negotiations, negotiating contracts
Contract management
Negotiation | negotiating
Sales | selling
B2B sales | business to business sales, B2B
B2C sales | B2C
Inside sales
Field sales | outside sales
Account management | key account management, key accounts
Business development
Lead generation | prospecting, lead qualification
Cold calling | cold calls, outbound calls
Sales pipeline | pipeline management
Quota attainment | sales quota, sales quotas, sales targets, quota
Closing deals | deal closing, closing sales
Upselling | cross-selling, upsell
Solution selling | consultative selling
Sales presentations | product demonstrations, product demos
Territory management
Customer retention | client retention
Customer relationship management | =CRM, CRM software, CRM systems > Salesforce, HubSpot, Zoho CRM, Pipedrive, Microsoft Dynamics
Salesforce | =SFDC
HubSpot
Zoho CRM | Zoho
Pipedrive
Retail | retail sales
Merchandising | visual merchandising
Point of sale | =POS, cash handling, cash register
Store management
Customer service | customer support, client service, customer care
Customer success
Call center | call centre, contact center
Zendesk
Complaint handling | conflict resolution
Marketing
Digital marketing | online marketing
Search engine optimization | =SEO, search engine optimisation
Search engine marketing | =SEM, paid search, =PPC, pay-per-click
Google Ads | AdWords
Google Analytics | =GA4
Paid social | Facebook Ads, Meta Ads, LinkedIn Ads
Paid advertising | digital advertising, paid media > Google Ads, Search engine marketing, Paid social
Social media marketing | social media, social media management
Content marketing | content strategy, content creation
Copywriting | copy writing
Email marketing | email campaigns, newsletters > Mailchimp, Klaviyo
Mailchimp
Klaviyo
Marketing automation | Marketo, Pardot > HubSpot, Mailchimp, Klaviyo
Campaign management | marketing campaigns, campaigns
Brand management | branding, brand strategy
Market research | consumer research
Competitive analysis | competitor analysis
Product marketing | go-to-market, product launches
Affiliate marketing
Influencer marketing
Conversion rate optimization | =CRO, conversion optimisation, landing page optimization
Public relations | =PR, media relations, press releases
Event planning | event management, event marketing
Content management systems | =CMS > WordPress, Drupal, Contentful
WordPress
Drupal
Contentful
Shopify
E-commerce | ecommerce, online store
Project management | managing projects
Program management | programme management
Project Management Professional | =PMP
PRINCE2
Microsoft Project | MS Project
=Asana
=Trello
Project management tools > Jira, =Asana, =Trello, Microsoft Project
Product management | product roadmap, product owner
Stakeholder management | stakeholder engagement, stakeholders
Change management
Business analysis | requirements gathering, business requirements
Process improvement | continuous improvement, process optimization
Lean | lean manufacturing, =5S, Kaizen
Six Sigma | lean six sigma
Strategic planning | business strategy
Operations management
Key performance indicators | =KPI, =KPIs
Team leadership | leading teams, team management, people management
Leadership
Coaching | mentoring, mentorship
Communication | communication skills, written communication, verbal communication
Presentation skills | public speaking, presentations
Teamwork | collaboration, cross-functional collaboration
Problem solving | problem-solving skills
Critical thinking | analytical skills
Time management | prioritization, prioritisation
Attention to detail | detail-oriented
Organizational skills | organisational skills
Decision making
Human resources | =HR
Recruitment | recruiting, talent acquisition, hiring
Onboarding | employee onboarding
Employee relations | labor relations, labour relations
Performance management | performance reviews, performance appraisals
Compensation and benefits | benefits administration
Employment law | labor law, labour law
Training and development | employee training, learning and development, staff training
=HRIS | Workday, BambooHR
=SHRM | SHRM-CP
Applicant tracking systems | Greenhouse ATS
Administrative support | administrative assistance, office administration, clerical
Office management
Calendar management | scheduling, diary management
Travel arrangements | travel coordination
Data entry
Typing
Filing | record keeping, records management
Reception | front desk, receptionist
Minute taking | meeting minutes
Legal research
Contract drafting | drafting contracts, legal drafting
Litigation
Paralegal
Corporate law
Case management
Westlaw | LexisNexis
Translation | translating
Interpreting | interpretation services
English | fluent English
Spanish
French
German
Italian
Portuguese
Mandarin | Chinese
Japanese
Arabic
Dutch
Russian
Hindi
Bilingual | multilingual
`;
