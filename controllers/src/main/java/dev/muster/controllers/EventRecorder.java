package dev.muster.controllers;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guarded by its own lock. Tells of objects by Events. An Event that repeats itself is counted up
 * instead of written again; one that cannot be written is logged and lost.
 */
public final class EventRecorder {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
  private static final int REMEMBERED = 500;

  /** What makes two Events the same. */
  private record Subject(String uid, String type, String reason, String message) {}

  private final KubernetesClient client;
  private final String component;
  private final Clock clock;
  private final Map<Subject, Event> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Event> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * @param component the controller's name, as the source of its Events
   */
  public EventRecorder(KubernetesClient client, String component, Clock clock) {
    this.client = client;
    this.component = component;
    this.clock = clock;
  }

  public void warn(ObjectReference about, String reason, String message) {
    record(about, "Warning", reason, message);
  }

  public void tell(ObjectReference about, String reason, String message) {
    record(about, "Normal", reason, message);
  }

  private synchronized void record(
      ObjectReference about, String type, String reason, String message) {
    var subject = new Subject(String.valueOf(about.getUid()), type, reason, message);
    try {
      var before = recent.get(subject);
      recent.put(subject, before == null ? create(about, subject) : repeat(before, about, subject));
    } catch (KubernetesClientException e) {
      log.info("no event {} about {}: {}", reason, about.getName(), e.getMessage());
    }
  }

  private Event repeat(Event before, ObjectReference about, Subject subject) {
    var next =
        new EventBuilder(before)
            .withCount((before.getCount() == null ? 1 : before.getCount()) + 1)
            .withLastTimestamp(now())
            .build();
    next.getMetadata().setResourceVersion(null);
    try {
      return client.v1().events().resource(next).update();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return create(about, subject);
      }
      throw e;
    }
  }

  /** Events about what has no namespace are kept in the default one. */
  private Event create(ObjectReference about, Subject subject) {
    var named = about.getNamespace() != null && !about.getNamespace().isEmpty();
    var namespace = named ? about.getNamespace() : "default";
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName(about.getName() + ".")
            .withNamespace(namespace)
            .endMetadata()
            .withInvolvedObject(about)
            .withType(subject.type())
            .withReason(subject.reason())
            .withMessage(subject.message())
            .withNewSource()
            .withComponent(component)
            .endSource()
            .withReportingComponent(component)
            .withFirstTimestamp(now())
            .withLastTimestamp(now())
            .withCount(1)
            .build();
    return client.v1().events().inNamespace(namespace).resource(event).create();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
