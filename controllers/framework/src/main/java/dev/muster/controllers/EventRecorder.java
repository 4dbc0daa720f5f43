package dev.muster.controllers;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
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
 * Writes Events about objects. A repeated Event increases the count of the existing one. An Event
 * that cannot be written is logged and dropped. Thread-safe, guarded by its own lock.
 */
public final class EventRecorder {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
  private static final int REMEMBERED = 500;
  private static final int NOT_FOUND = 404;
  private static final String JSON = "application/json";

  /** The identity of an Event; Events with the same one are counted together. */
  private record Subject(String uid, String type, String reason, String message) {}

  private final ApiRequests requests;
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
    this(new ApiRequests(client), component, clock);
  }

  /**
   * @param component the controller's name, as the source of its Events
   */
  public EventRecorder(ApiRequests requests, String component, Clock clock) {
    this.requests = requests;
    this.component = component;
    this.clock = clock;
  }

  public void warn(ObjectReference about, String reason, String message) {
    record(about, "Warning", reason, message);
  }

  public void report(ObjectReference about, String reason, String message) {
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
    var metadata = next.getMetadata();
    var path = path(metadata.getNamespace()) + "/" + metadata.getName();
    var answer = requests.send("PUT", path, JSON, JSON, next);
    if (answer.code() == NOT_FOUND) {
      return create(about, subject);
    }
    answer.orThrow();
    return next;
  }

  /** Events about cluster-scoped objects are stored in the namespace {@code default}. */
  private Event create(ObjectReference about, Subject subject) {
    var named = about.getNamespace() != null && !about.getNamespace().isEmpty();
    var namespace = named ? about.getNamespace() : "default";
    var event =
        new EventBuilder()
            .withApiVersion("v1")
            .withKind("Event")
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
    var created = requests.send("POST", path(namespace), JSON, JSON, event).orThrow();
    var name = JsonTrees.object(created).object("metadata").string("name");
    return event.edit().editMetadata().withGenerateName(null).withName(name).endMetadata().build();
  }

  private static String path(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/events";
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
