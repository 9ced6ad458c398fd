import { configure } from '@testing-library/react';

// A busy machine needs longer than the default of one second.
configure({ asyncUtilTimeout: 30_000 });
