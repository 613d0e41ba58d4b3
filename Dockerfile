# The headless gateway as an image: `docker build -t switchyard .` (docs/releasing.md#image).
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-progress --loglevel=error && npm run dist:npm -- --into /switchyard

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=6411 DATA_DIR=/data
WORKDIR /switchyard
COPY --from=build /switchyard ./
# `docker exec <container> switchyard doctor` and its like (docs/reference/command-line.md).
RUN ln -s /switchyard/scripts/switchyard.cjs /usr/local/bin/switchyard && chmod 755 scripts/switchyard.cjs
# Database, journals and the data key: owned by who runs the gateway, read by nobody else.
RUN mkdir --mode=700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 6411
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "const { HOST, PORT } = process.env; const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST; fetch(`http://${host.includes(':') ? `[${host}]` : host}:${PORT}/api/status`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# It drains on SIGTERM, for as long as DRAIN_S says; `docker stop --time` should be longer.
ENTRYPOINT ["node", "--max-semi-space-size=8", "out/main/gateway.js"]
