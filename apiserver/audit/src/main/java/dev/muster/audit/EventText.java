package dev.muster.audit;

import dev.muster.model.gocompat.GoText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** Encodes an event as one line of text, the legacy format of the audit log. */
public final class EventText {
  private EventText() {}

  public static String of(AuditEvent event) {
    var request = event.request();
    var user = request.user();
    var impersonated = event.impersonated();
    var object = event.object();
    var status = event.status();
    return ("%s AUDIT: id=%s stage=%s ip=%s method=%s user=%s groups=%s as=%s asgroups=%s"
            + " user-agent=%s namespace=%s uri=%s response=\"%s\"")
        .formatted(
            time(request.received()),
            GoText.quote(request.auditId()),
            GoText.quote(event.stage().text()),
            GoText.quote(
                request.sourceIps().isEmpty() ? "<unknown>" : request.sourceIps().getFirst()),
            GoText.quote(request.verb()),
            GoText.quote(user == null || user.name().isEmpty() ? "<none>" : user.name()),
            GoText.quote(
                user == null || user.name().isEmpty() || user.groups().isEmpty()
                    ? "<none>"
                    : texts(user.groups())),
            GoText.quote(impersonated == null ? "<self>" : impersonated.name()),
            GoText.quote(
                impersonated == null || impersonated.groups().isEmpty()
                    ? "<lookup>"
                    : texts(impersonated.groups())),
            GoText.quote(request.userAgent()),
            GoText.quote(
                object == null || object.namespace().isEmpty() ? "<none>" : object.namespace()),
            GoText.quote(request.uri()),
            status == null ? "<deferred>" : Integer.toString(status.code()));
  }

  private static String texts(List<String> texts) {
    return texts.stream().map(GoText::quote).collect(Collectors.joining(","));
  }

  /** An RFC 3339 time without trailing zeros in the fraction. */
  private static String time(long micros) {
    var text = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    if (text.indexOf('.') < 0) {
      return text;
    }
    int end = text.length() - 1;
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, end) + "Z";
  }
}
