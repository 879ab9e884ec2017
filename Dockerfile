# One image with everything: without DATABASE_URL, its own PostgreSQL runs in /data.
# docker build --build-arg BUN_VERSION=… --platform linux/amd64,linux/arm64 .
ARG BUN_VERSION=1.4.5

FROM oven/bun:${BUN_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
COPY patches patches
COPY deploy/prune.sh deploy/prune.sh
RUN bun install --frozen-lockfile --production && sh deploy/prune.sh

FROM oven/bun:${BUN_VERSION}-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY src src
COPY integrations integrations
RUN mkdir /data && chown bun:bun /data
USER bun
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`)).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
