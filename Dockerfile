# One image, nothing beside it: with no DATABASE_URL the PostgreSQL it brings along runs in /data.
FROM oven/bun:1.4.5-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
COPY patches patches
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.5-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY . .
RUN mkdir /data && chown bun:bun /data
USER bun
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`)).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
