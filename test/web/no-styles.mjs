// Tests in jsdom have no styles.
