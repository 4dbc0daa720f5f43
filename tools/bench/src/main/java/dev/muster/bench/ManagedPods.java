package dev.muster.bench;

import dev.muster.bench.RequestScenario.Plan;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pods of about 10 KB, each with five field managers, one of whose annotations is written again and
 * again: what it costs to keep track of who owns which field.
 */
final class ManagedPods {
  private static final int PODS = 400;
  private static final int MANAGERS = 5;
  private static final int CONTAINERS = 4;
  private static final int VARIABLES = 8;

  private ManagedPods() {}

  static Plan updates(BenchRun session) {
    var pods = session.data().configMaps("pods", 0).replace("/configmaps", "/pods");
    for (int i = 0; i < PODS; i++) {
      for (int manager = 0; manager < MANAGERS; manager++) {
        session
            .api()
            .expect(
                session
                    .requests()
                    .patch(
                        pods + "/" + name(i) + "?force=true&fieldManager=manager-" + manager,
                        "application/apply-patch+yaml",
                        manager == 0 ? pod(name(i)) : annotations(name(i), manager)));
      }
    }
    var next = new AtomicInteger();
    return new Plan(
        connection -> {
          int number = next.getAndIncrement();
          return session
              .requests()
              .patch(
                  pods + "/" + name(number % PODS) + "?fieldManager=updater",
                  "application/merge-patch+json",
                  "{\"metadata\":{\"annotations\":{\"bench/number\":\"" + number + "\"}}}");
        },
        5_000,
        () -> delete(session, pods));
  }

  private static void delete(BenchRun session, String pods) {
    for (int i = 0; i < PODS; i++) {
      session.api().call(session.requests().delete(pods + "/" + name(i) + "?gracePeriodSeconds=0"));
    }
  }

  private static String name(int number) {
    return "pod-" + number;
  }

  private static String head(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name + "\"";
  }

  private static String annotations(String name, int manager) {
    var text = new StringBuilder(head(name)).append(",\"annotations\":{");
    for (int i = 0; i < 6; i++) {
      text.append(i == 0 ? "" : ",")
          .append("\"manager-%d/key-%d\":\"a value of some length\"".formatted(manager, i));
    }
    return text.append("}}}").toString();
  }

  private static String pod(String name) {
    var text = new StringBuilder(head(name)).append("},\"spec\":{\"containers\":[");
    for (int i = 0; i < CONTAINERS; i++) {
      text.append(i == 0 ? "" : ",")
          .append("{\"name\":\"c%d\",\"image\":\"example.com/image:%d\",\"env\":[".formatted(i, i));
      for (int j = 0; j < VARIABLES; j++) {
        text.append(j == 0 ? "" : ",")
            .append("{\"name\":\"VARIABLE_%d\",\"value\":\"the value of it %d\"}".formatted(j, j));
      }
      text.append("]}");
    }
    return text.append("]}}").toString();
  }
}
