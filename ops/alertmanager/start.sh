#!/bin/sh
# Writes Alertmanager's configuration from the variables of .env, since Alertmanager reads no environment, and starts it.
# SMTP_URL is smtp:// or smtps://user:password@host:port, as for api and worker.
set -eu

# The value as a YAML string.
quote() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }
# Decodes %XX of a URL.
decode() {
  text=$1
  while [ -n "$text" ]; do
    case $text in
      %[0-9A-Fa-f][0-9A-Fa-f]*)
        hex=${text#%}
        hex=${hex%"${hex#??}"}
        printf "\\$(printf '%o' "0x$hex")"
        text=${text#%??}
        ;;
      *)
        printf '%s' "${text%"${text#?}"}"
        text=${text#?}
        ;;
    esac
  done
}

case ${ALERT_MAIL_TLS:=true} in
  true | false) ;;
  *) echo 'ALERT_MAIL_TLS must be true or false.' >&2; exit 78 ;;
esac
file=${CONFIG_FILE:-/tmp/alertmanager.yml}
umask 077
{
  if [ -n "${ALERT_MAIL:-}" ]; then
    : "${SMTP_URL:?must be set with ALERT_MAIL}" "${SMTP_FROM:?must be set with ALERT_MAIL}"
    scheme=${SMTP_URL%%://*}
    server=${SMTP_URL#*://}
    server=${server%%[/?]*}
    user=
    case $server in *@*) user=${server%@*} server=${server##*@} ;; esac
    case $server in
      *:*) ;;
      *) if [ "$scheme" = smtps ]; then server=$server:465; else server=$server:587; fi ;;
    esac
    echo 'global:'
    printf '%s\n' "  smtp_smarthost: $(quote "$server")"
    printf '%s\n' "  smtp_from: $(quote "$SMTP_FROM")"
    # smtps:// begins with TLS; smtp:// requires STARTTLS where the server is on another machine.
    case $server in localhost:* | 127.* | host.docker.internal:*) ALERT_MAIL_TLS=false ;; esac
    if [ "$ALERT_MAIL_TLS" = false ]; then echo '  smtp_require_tls: false'; fi
    if [ -n "$user" ]; then
      printf '%s\n' "  smtp_auth_username: $(quote "$(decode "${user%%:*}")")"
      printf '%s\n' "  smtp_auth_password: $(quote "$(decode "${user#*:}")")"
    fi
  fi
  cat << SETTINGS
route:
  receiver: operators
  group_by: [alertname]
  group_wait: 10s
  group_interval: 5m
  repeat_interval: 4h
  routes:
    # It always fires: by it, api and worker know that Prometheus sends alerts.
    - matchers: [alertname="Watchdog"]
      receiver: nobody
# An alert about the whole of Pressroom makes those about its parts superfluous.
inhibit_rules:
  - source_matchers: [alertname="ServiceNotReady", service="database"]
    target_matchers: [alertname=~"ApiErrors|ApiSlow|JobsFail"]
receivers:
  - name: nobody
  - name: operators
SETTINGS
  if [ -n "${ALERT_MAIL:-}" ]; then
    echo '    email_configs:'
    printf '%s\n' "      - to: $(quote "$ALERT_MAIL")"
    # The text is that of the mails of api and worker. The default mail has links to Alertmanager and Prometheus, which only containers reach.
    cat << 'MAIL'
        send_resolved: true
        headers:
          Subject: '[{{ .Status | toUpper }}] {{ .GroupLabels.alertname }} – Pressroom'
        html: ''
        text: |
          {{ .ExternalURL }}
          {{ range .Alerts }}
          {{ .Status | toUpper }} {{ .Labels.alertname }}: {{ .Annotations.summary }}
          Since {{ .StartsAt }}{{ if eq .Status "resolved" }}, until {{ .EndsAt }}{{ end }}.
          {{ end }}
          What to do first: docs/operations.md, “Alerts”.
MAIL
  fi
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    echo '    webhook_configs:'
    printf '%s\n' "      - url: $(quote "$ALERT_WEBHOOK_URL")"
    echo '        send_resolved: true'
  fi
} > "$file"
exec alertmanager --config.file="$file" --storage.path=/alertmanager --cluster.listen-address= \
  --web.external-url="${PUBLIC_URL:?must be the address for users}" --web.route-prefix=/ "$@"
