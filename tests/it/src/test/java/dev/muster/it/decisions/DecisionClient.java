package dev.muster.it.decisions;

import dev.muster.it.decisions.Deed.Verdict;
import dev.muster.it.decisions.Observed.Decided;
import dev.muster.it.races.RaceHttp;
import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.it.races.RacingServers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Belongs to one thread. Asks any server for anything, as chance has it, one after the other. */
final class DecisionClient {
  private static final String NAMESPACE = "/api/v1/namespaces/load";
  private static final String CONFIG_MAPS = NAMESPACE + "/configmaps";
  private static final String REVIEW =
      """
      {"spec":{"user":"robot","resourceAttributes":
       {"verb":"get","resource":"configmaps","namespace":"load","name":"there"}}}
      """;

  private final String name;
  private final RaceHttp http;
  private final List<String> servers;
  private final Random random;
  private final Deque<String> made = new ArrayDeque<>();
  private int count;

  DecisionClient(String name, RaceHttp http, List<String> servers, Random random) {
    this.name = name;
    this.http = http;
    this.servers = servers;
    this.random = random;
  }

  Decided ask() {
    var deeds = Deed.values();
    var deed = deeds[random.nextInt(deeds.length)];
    if ((deed == Deed.PATCH || deed == Deed.DELETE) && made.isEmpty()) {
      deed = Deed.CREATE;
    }
    int server = random.nextInt(servers.size());
    long began = System.nanoTime();
    var answer = send(deed, servers.get(server));
    long ended = System.nanoTime();
    var verdict = verdict(deed, answer);
    if (verdict == Verdict.UNEXPECTED) {
      throw new IllegalStateException(deed + ": " + answer.code() + " " + answer.message());
    }
    boolean done = verdict == Verdict.DONE || verdict == Verdict.LABELLED;
    if (done && deed == Deed.CREATE) {
      made.add(object());
    } else if (done && deed == Deed.DELETE) {
      made.remove();
    }
    boolean tells = done && deed != Deed.GET;
    return new Decided(deed, verdict, server, began, ended, tells ? revision(answer) : 0);
  }

  private String object() {
    return name + "-" + count;
  }

  private Answer send(Deed deed, String server) {
    count++;
    var object = "{\"metadata\":{\"name\":\"%s\"}}".formatted(object());
    return switch (deed) {
      case GET -> asRobot("GET", server + CONFIG_MAPS + "/there", "");
      case LIST -> asRobot("GET", server + CONFIG_MAPS + "?limit=1", "");
      case CREATE -> asRobot("POST", server + CONFIG_MAPS, object);
      case DRY_RUN -> asRobot("POST", server + CONFIG_MAPS + "?dryRun=All", object);
      case PATCH ->
          asRobot(
              "PATCH",
              server + CONFIG_MAPS + "/" + made.element(),
              "{\"data\":{\"count\":\"%d\"}}".formatted(count));
      case DELETE -> asRobot("DELETE", server + CONFIG_MAPS + "/" + made.element(), "");
      case CREATE_SECRET -> asRobot("POST", server + NAMESPACE + "/secrets", object);
      case REVIEW ->
          http.post(server + "/apis/authorization.k8s.io/v1/subjectaccessreviews", REVIEW);
    };
  }

  private Answer asRobot(String method, String url, String body) {
    var type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return http.send(RacingServers.ROBOT, method, url, body.isEmpty() ? "" : type, body);
  }

  private static Verdict verdict(Deed deed, Answer answer) {
    return switch (answer.code()) {
      case 200, 201 -> {
        if (deed == Deed.REVIEW) {
          yield answer.body().object("status").isTrue("allowed") ? Verdict.DONE : Verdict.FORBIDDEN;
        }
        boolean creates = deed == Deed.CREATE || deed == Deed.DRY_RUN;
        yield creates && answer.body().object("metadata", "labels").has("labelled")
            ? Verdict.LABELLED
            : Verdict.DONE;
      }
      case 403 -> Verdict.FORBIDDEN;
      case 422 -> Verdict.REFUSED_BY_POLICY;
      case RefusingWebhook.CODE -> Verdict.REFUSED_BY_WEBHOOK;
      default -> Verdict.UNEXPECTED;
    };
  }

  /** What was written at, or the list is of; an object that is shown may be older. */
  private static long revision(Answer answer) {
    var kind = answer.body().string("kind");
    var version = answer.body().object("metadata").string("resourceVersion");
    return kind.equals("Status") || version.isEmpty() ? 0 : Long.parseLong(version);
  }
}
