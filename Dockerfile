FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# What remains is what the server imports: the packages that build it are devDependencies.
RUN npm run build && npm prune --omit=dev && find node_modules -name '*.map' -delete
# npm need not run the script that makes the embedded PostgreSQL's links, and the user below may not.
RUN node -e "import('./dist/server/database/embedded-binaries.js').then(({ findBinaries }) => findBinaries())"

FROM node:24-bookworm-slim
WORKDIR /app
# Half of the threads look up webhooks' hosts: with more of them, names that nobody answers for do less harm.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data UV_THREADPOOL_SIZE=16
COPY --from=build /app/package.json ./
COPY --from=build /app/server/start.js ./server/
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "--max-semi-space-size=32", "dist/server/main.js"]
