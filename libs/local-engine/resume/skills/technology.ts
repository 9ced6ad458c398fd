/** Software, data and IT. The notation is explained in `skills.ts`. */
export const technology = `
Python
Java
JavaScript | ECMAScript, =JS, ES6
TypeScript | =TS
=Go | Golang
=Rust | Rustlang
=R | R programming, RStudio, tidyverse
=C | C programming, ANSI C
C++ | CPP
C# | C sharp, CSharp
.NET | dotnet, ASP.NET, .NET Core
Visual Basic | VB.NET, VBA
PHP
=Ruby > Ruby on Rails
Ruby on Rails | =Rails
Kotlin
=Swift > SwiftUI
Objective-C
Scala
=Dart
Elixir
Erlang
Haskell
Clojure
Perl
=Julia
MATLAB
COBOL
Fortran
Groovy
Lua
Solidity
Assembly language | assembler
Bash | shell scripting, Unix shell, shell scripts
PowerShell
SQL | T-SQL, PL/SQL, structured query language
NoSQL | non-relational databases > MongoDB, Cassandra, DynamoDB, Redis, Couchbase, Firestore
Relational databases | RDBMS, relational database management, SQL databases > PostgreSQL, MySQL, Microsoft SQL Server, Oracle Database, MariaDB, SQLite
PostgreSQL | Postgres, psql
MySQL
MariaDB
SQLite
Microsoft SQL Server | MS SQL, MSSQL, SQL Server
Oracle Database | Oracle DB, Oracle 19c
MongoDB | =Mongo
Cassandra
DynamoDB
Redis
Couchbase
Firestore | Firebase
Neo4j | graph databases
Elasticsearch | Elastic search, ELK, OpenSearch
Snowflake
BigQuery
Redshift
Databricks
dbt
Data warehousing | data warehouse, data warehouses > Snowflake, BigQuery, Redshift
ETL | ELT, data pipelines, data integration
Apache Kafka | Kafka
RabbitMQ
Message queues | message broker, messaging systems > Apache Kafka, RabbitMQ, ActiveMQ, Amazon SQS
ActiveMQ
Amazon SQS | SQS
Apache Spark | PySpark, =Spark
Hadoop | MapReduce, HDFS
Apache Airflow | Airflow
=Flink | Apache Flink
React | React.js, ReactJS
React Native
Angular | AngularJS
Vue.js | VueJS, =Vue
Svelte
Next.js | NextJS
Redux
jQuery
Node.js | NodeJS, =Node
=Express | Express.js, ExpressJS
NestJS
Django
=Flask
FastAPI
=Spring | Spring Boot, Spring Framework
Hibernate
Laravel
Symfony
Front-end frameworks | frontend frameworks, JavaScript frameworks > React, Angular, Vue.js, Svelte, Next.js
HTML | HTML5
CSS | CSS3
Sass | SCSS
Tailwind CSS | Tailwind
Bootstrap
Webpack | Vite
Front-end development | frontend development, front end, frontend engineer, frontend developer
Back-end development | backend development, back end, backend engineer, backend developer, backend systems, backend services
Full-stack development | full stack, fullstack
Web development
Mobile development | mobile apps, mobile app development > Android, iOS, Flutter, React Native
Android | Android SDK
iOS
Flutter
REST APIs | REST, RESTful, RESTful APIs, RESTful services, REST API
GraphQL
gRPC
SOAP
WebSockets | WebSocket
Microservices | microservice architecture
API design | API development
OAuth | OAuth2, OpenID Connect, OIDC
Docker | containerization, containerisation
Kubernetes | K8s
Helm
Containers | container orchestration > Docker, Kubernetes, Podman, Amazon ECS
Podman
Amazon ECS | =ECS, Fargate
Terraform
Ansible
=Puppet
=Chef | Chef Infra
CloudFormation
Infrastructure as code | =IaC > Terraform, CloudFormation, Pulumi, Ansible
Pulumi
AWS | Amazon Web Services, EC2 > AWS Lambda, Amazon S3, Amazon RDS, Amazon EKS, Amazon ECS, DynamoDB, CloudWatch, CloudFormation
Microsoft Azure | Azure
Google Cloud | GCP, Google Cloud Platform
Cloud platforms | cloud computing, cloud services, public cloud, cloud infrastructure > AWS, Microsoft Azure, Google Cloud
Serverless > AWS
Jenkins
GitHub Actions
GitLab CI | GitLab
CircleCI
CI/CD | continuous integration, continuous delivery, continuous deployment, CI pipelines > Jenkins, GitHub Actions, GitLab CI, CircleCI
Git | GitHub, Bitbucket
Version control | source control, version control systems > Git, Subversion, GitLab CI
Subversion | SVN
Linux | Unix, Ubuntu, RHEL, Debian
Windows Server | Active Directory
Networking | computer networks, TCP/IP, routing and switching, =LAN, =WAN, =VPN
Cisco | CCNA, CCNP
DNS
Firewalls | firewall
VMware | vSphere, ESXi
Virtualization | virtualisation, Hyper-V > VMware
Monitoring and observability | observability, application monitoring > Prometheus, Grafana, Datadog, New Relic, Splunk
Prometheus
Grafana
Datadog
New Relic
Splunk
DevOps
Site reliability engineering | =SRE, site reliability
System administration | systems administration, sysadmin
Technical support | IT support, help desk, helpdesk, desktop support
Troubleshooting
Cybersecurity | cyber security, information security, infosec
Penetration testing | pen testing, ethical hacking
=SIEM
Vulnerability management | vulnerability assessment
Incident response
Encryption | cryptography
ISO 27001
SOC 2
GDPR
NIST
Machine learning | =ML
Deep learning | neural networks
Natural language processing | =NLP
Computer vision | OpenCV
Large language models | LLM, LLMs, generative AI
TensorFlow
PyTorch
scikit-learn | sklearn
pandas
NumPy
Data science
Data analysis | data analytics, analysing data, analyzing data
Data engineering
Data modeling | data modelling
Data visualization | data visualisation, dashboards > Tableau, Power BI, =Looker
Statistics | statistical analysis, statistical modeling
A/B testing | AB testing, split testing, experimentation
Tableau
Power BI | PowerBI
=Looker | Looker Studio
Business intelligence > Tableau, Power BI, =Looker
=SAS
SPSS
Stata
Unit testing | unit tests, JUnit, pytest > Jest
Test automation | automated testing, automated tests > Selenium, Cypress, Playwright
Quality assurance | =QA, software testing
Test-driven development | TDD
Object-oriented programming | OOP, object oriented design
Functional programming
Design patterns
Data structures | algorithms
Distributed systems
System design | software architecture
Concurrency | multithreading, multi-threading
Performance optimization | performance tuning, performance optimisation
Code review | code reviews
Agile | agile methodologies, agile development
Scrum
Kanban
Jira
Confluence
Embedded systems | firmware
RTOS
FPGA | VHDL, Verilog
PLC programming | PLC, PLCs, ladder logic
SCADA
Internet of Things | IoT
Robotics
Blockchain
=Unity | Unity3D
Unreal Engine
Game development
SharePoint
ServiceNow
ITIL
Server-side rendering | SSR, server rendering, server-rendered, static site generation, SSG
Core Web Vitals | web vitals, Lighthouse scores, largest contentful paint, cumulative layout shift
Web performance | page speed, page load performance, frontend performance, front-end performance > Core Web Vitals
Feature flags | feature flag, feature toggles, feature flagging > LaunchDarkly, Unleash, Split.io, Flagsmith
LaunchDarkly
Unleash
Split.io
Flagsmith
Stripe | Stripe API, Stripe Connect
Adyen
Braintree
PayPal
Plaid
Payment processing | payment gateways, payment integrations, online payments, payments systems, payment systems, payments > Stripe, Adyen, Braintree, PayPal
PCI DSS | =PCI, PCI compliance, PCI-DSS
Internationalization | internationalisation, i18n, localization, localisation, l10n
Progressive web apps | PWA, PWAs, service workers
Single-page applications | SPA, SPAs, single page apps > React, Angular, Vue.js, Svelte
State management | =Zustand, MobX, Redux Toolkit > Redux
Storybook
Nuxt | Nuxt.js
=Remix
Astro
=Gatsby
SvelteKit
Micro frontends | micro-frontends, microfrontends, module federation
WebAssembly | WASM
WebGL | Three.js
WebRTC
D3.js | D3, D3js
Vercel
Netlify
Cloudflare | Cloudflare Workers
Heroku
Supabase
Prisma
TypeORM
Sequelize
Hasura
Apollo | Apollo GraphQL, Apollo Server
tRPC
Protocol Buffers | protobuf, protobufs
OpenAPI | Swagger
API gateway | API gateways, Kong, Apigee
Webhooks | webhook integrations
Event-driven architecture | event driven, event sourcing, CQRS > Apache Kafka, RabbitMQ
Domain-driven design | DDD
Caching | cache invalidation, Memcached > Redis
Load balancing | load balancers, HAProxy
Nginx
Service mesh | Istio, Linkerd, Envoy
Argo CD | ArgoCD, GitOps, =Flux
Buildkite
TeamCity
Bazel
Gradle
Maven
npm | pnpm, =Yarn
Monorepos | monorepo, Turborepo, Nx
ESLint | Prettier, linting
Sentry
OpenTelemetry | distributed tracing, Jaeger
PagerDuty | on-call rotation, on-call rotations, on-call
ELK stack | Kibana, Logstash
Honeycomb
CloudWatch
AWS Lambda | Lambda functions
Amazon S3 | =S3
Amazon RDS | =RDS, Aurora
Amazon EKS | =EKS
Google Kubernetes Engine | =GKE
Azure DevOps
Vault | HashiCorp Vault, secrets management
Okta | Auth0
Single sign-on | SSO, SAML
Identity and access management | IAM
OWASP | OWASP Top 10
Threat modeling | threat modelling
Zero trust
Static analysis | SAST, DAST, SonarQube
Web scraping | Scrapy, Beautiful Soup
Selenium
Playwright
Cypress
Jest | Vitest
React Testing Library | Testing Library
End-to-end testing | end-to-end tests, e2e tests, e2e testing > Playwright, Cypress, Selenium
Integration testing | integration tests
Load testing | performance testing, k6, JMeter, Gatling
Regression testing
Postman
=Ember | Ember.js
Backbone.js
Alpine.js
htmx
Phoenix | Phoenix LiveView
ASP.NET Core
Entity Framework | EF Core
WPF
Qt
Blazor
Jetpack Compose
Kotlin Multiplatform
SwiftUI
UIKit
Expo
Ionic
Xamarin
App Store releases | App Store, Google Play
Push notifications
Elasticsearch queries | =Solr, Lucene
ClickHouse
TimescaleDB
InfluxDB
CockroachDB
Vector databases | vector database, Pinecone, Weaviate, pgvector, =Milvus
Retrieval-augmented generation | RAG
Prompt engineering
LangChain | LlamaIndex
OpenAI API | OpenAI
Hugging Face | Transformers
Fine-tuning | model fine-tuning
MLOps | MLflow, Kubeflow, model deployment
SageMaker
Vertex AI
Recommendation systems | recommender systems
Time series forecasting | time-series analysis
Feature engineering
Jupyter | Jupyter notebooks
Apache Beam | Dataflow
Fivetran
Dagster
Prefect
Delta Lake | Apache Iceberg
Stream processing | real-time data processing > Apache Kafka, =Flink, Apache Spark
Amplitude
Mixpanel
=Segment
Metabase
Qlik | QlikView, Qlik Sense
Google Tag Manager | =GTM
Salesforce development | =Apex, Salesforce Lightning
Power Automate | Power Apps, Power Platform
Zapier
Figma API
Smart contracts | Ethereum
ROS | Robot Operating System
CUDA | GPU programming
LLVM
OpenGL | Vulkan
CAN bus
MQTT
Bluetooth | BLE
Raspberry Pi
Arduino
`;
