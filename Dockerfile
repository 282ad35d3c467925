FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tool-packages ./tool-packages
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
# Builds the shipped packages too, asking each what it can do as a call would run it.
RUN npm run prebuild && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# tini as PID 1 ends what a call leaves behind and passes signals on; bubblewrap isolates calls where the host lets it.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap tini \
  && rm -rf /var/lib/apt/lists/*
# Not loopback, so the service starts only with a key: API_KEY, API_KEY_FILE or `callers` in the policy.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/tool-packages ./tool-packages
COPY --from=build /app/dist ./dist
COPY --from=build /app/prebuilt ./prebuilt
COPY skills ./skills
COPY package.json policy.yaml LICENSE ./
# A number, so that a platform can tell that it is not root; group 0 suits platforms that choose the user themselves.
USER 10001:0
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "dist/main.js"]
