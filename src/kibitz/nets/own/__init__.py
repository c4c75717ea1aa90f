"""Networks of Kibitz's own: their architectures, their files (docs/network-format.md), their exports."""
