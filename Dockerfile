# The web app in a container: `docker compose up`, or
#     docker build -t kibitz . && docker run -p 8000:8000 -e KIBITZ_TOKEN=secret -v kibitz:/data kibitz
# Any command works in its place: docker run --rm kibitz analyze chess start
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -qy --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# All CPU levels: an image is built on one machine and run on another.
RUN SKBUILD_CMAKE_DEFINE=KIBITZ_LEVELS=all pip wheel --no-cache-dir -w /wheels ".[server,postgres]"

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels "kibitz[server,postgres]" && rm -rf /wheels \
    && useradd --create-home --uid 1000 kibitz && mkdir /data && chown kibitz /data
USER kibitz
ENV KIBITZ_DATABASE=sqlite:////data/kibitz.db
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health')"]
ENTRYPOINT ["kibitz"]
# A server that others can reach needs KIBITZ_TOKEN; without one it refuses to start and says so.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
