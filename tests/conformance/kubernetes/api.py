# SPDX-License-Identifier: Apache-2.0
"""Plain requests to an API server, as a person with curl would send them; what comes back is not interpreted."""
import http.client
import json
import ssl
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    type: str
    body: bytes
    headers: dict = field(default_factory=dict)

    def json(self) -> dict:
        return json.loads(self.body)


class Api:
    """With a client certificate or a bearer token, or with neither."""

    def __init__(self, server: str, authority: Path, certificate: tuple | None = None, token: str = "") -> None:
        self._address = urlsplit(server).netloc
        self._tls = ssl.create_default_context(cafile=str(authority))
        self._token = token
        self._connections = threading.local()  # one is kept for each thread
        if certificate:
            self._tls.load_cert_chain(*map(str, certificate))

    def send(self, method: str, path: str, body=None, headers: dict | None = None, timeout: float = 30) -> Answer:
        """`body`: bytes as they are, anything else as JSON. A stream is read until it ends or keeps silent."""
        fields = {"Accept": "application/json"} | ({"Authorization": f"Bearer {self._token}"} if self._token else {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            fields["Content-Type"] = "application/json"
        fields |= headers or {}
        kept = getattr(self._connections, "kept", None)
        if kept is not None:
            try:
                return self._exchange(kept, method, path, body, fields, timeout)
            except (OSError, http.client.HTTPException):
                pass  # the server had closed it
        return self._exchange(http.client.HTTPSConnection(self._address, context=self._tls), method, path, body, fields, timeout)

    def _exchange(self, connection, method: str, path: str, body, fields: dict, timeout: float) -> Answer:
        self._connections.kept = None
        connection.timeout = timeout
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers.get("Content-Type", ""), response.read(), dict(response.headers))
        except BaseException:
            connection.close()
            raise
        self._connections.kept = connection
        return answer

    def answers(self, path: str) -> bool:
        try:
            return self.send("GET", path, timeout=5).status == 200
        except OSError:
            return False

    def ok(self, method: str, path: str, body=None, headers: dict | None = None) -> dict:
        answer = self.send(method, path, body, headers)
        if not 200 <= answer.status < 300:
            raise OSError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json()

    def get(self, path: str) -> dict:
        return self.ok("GET", path)

    def create(self, path: str, body: dict) -> dict:
        return self.ok("POST", path, body)

    def patch(self, path: str, body) -> dict:
        return self.ok("PATCH", path, body, {"Content-Type": "application/merge-patch+json"})

    def delete(self, path: str) -> None:
        self.send("DELETE", path)
