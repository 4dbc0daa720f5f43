package dev.muster.it.races;

import dev.muster.it.races.RaceOperation.Apply;
import dev.muster.it.races.RaceOperation.Create;
import dev.muster.it.races.RaceOperation.Delete;
import dev.muster.it.races.RaceOperation.Get;
import dev.muster.it.races.RaceOperation.Patch;
import dev.muster.it.races.RaceOperation.Put;
import dev.muster.it.races.RaceOperation.Swap;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Runs on a thread of its own. One client that does one thing after the other to the object, each
 * through any of the servers. Its values are unique, and each kind of change has keys of its own,
 * so that nobody takes a field away that another has applied.
 */
final class Racer implements Runnable {
  private static final String JSON = "application/json";

  private final String name;
  private final RaceHttp http;
  private final List<String> servers;
  private final RaceKind kind;
  private final String object;
  private final Random random;
  private final int requests;
  private final List<Answered> answers = new ArrayList<>();
  private State known = State.absent(0);
  private int count;

  Racer(
      String name,
      RaceHttp http,
      List<String> servers,
      RaceKind kind,
      String object,
      Random random,
      int requests) {
    this.name = name;
    this.http = http;
    this.servers = servers;
    this.kind = kind;
    this.object = object;
    this.random = random;
    this.requests = requests;
  }

  List<Answered> answers() {
    return answers;
  }

  @Override
  public void run() {
    for (int i = 0; i < requests; i++) {
      var operation = choose();
      boolean dryRun = !(operation instanceof Get) && random.nextInt(8) == 0;
      var answered = send(operation, dryRun);
      answers.add(answered);
      if (answered.code() == 404) {
        known = State.absent(0);
      } else if (!dryRun && answered.code() < 300) {
        known =
            operation instanceof Delete
                ? State.absent(0)
                : new State(answered.revision(), answered.uid(), answered.notes());
      }
    }
  }

  private RaceOperation choose() {
    var value = name + "." + count++;
    int chance = random.nextInt(100);
    if (chance < 10) {
      return new Create("c-" + name, value);
    }
    if (chance < 30) {
      return new Apply(name, "a-" + name, value);
    }
    if (chance < 50) {
      return new Patch(random.nextBoolean(), "m-" + name, value, 0);
    }
    if (chance < 55) {
      return new Patch(false, "m-" + name, value, known.revision());
    }
    if (chance < 75) {
      return new Swap("m-" + name, known.notes().getOrDefault("m-" + name, "none"), value);
    }
    if (chance < 83) {
      return new Put(Map.of("p-" + name, value), kind.createdByPut(), 0, "");
    }
    if (chance < 90) {
      var notes = new HashMap<>(known.notes());
      notes.put("p-" + name, value);
      return new Put(notes, kind.createdByPut(), known.revision(), known.uid());
    }
    if (chance < 95) {
      return new Get();
    }
    return switch (random.nextInt(3)) {
      case 0 -> new Delete(0, "");
      case 1 -> new Delete(known.revision(), "");
      default -> new Delete(0, known.uid());
    };
  }

  private Answered send(RaceOperation operation, boolean dryRun) {
    var server = servers.get(random.nextInt(servers.size()));
    var collection = server + kind.collection();
    var url = collection + "/" + object;
    var query = dryRun ? "?dryRun=All&" : "?";
    long began = System.nanoTime();
    var answer =
        switch (operation) {
          case Get ignored -> http.get(url);
          case Create create ->
              http.post(
                  collection + query + "fieldManager=create",
                  body(Map.of(create.key(), create.value()), 0, "").toString());
          case Put put ->
              http.send(
                  "PUT",
                  url + query + "fieldManager=put",
                  JSON,
                  body(put.notes(), put.revision(), put.uid()).toString());
          case Patch patch ->
              http.send(
                  "PATCH",
                  url + query + "fieldManager=patch",
                  patch.strategic()
                      ? "application/strategic-merge-patch+json"
                      : "application/merge-patch+json",
                  patch(patch).toString());
          case Swap swap ->
              http.send(
                  "PATCH",
                  url + query + "fieldManager=swap",
                  "application/json-patch+json",
                  "[{\"op\":\"test\",\"path\":\"/metadata/annotations/%1$s\",\"value\":\"%2$s\"},{\"op\":\"replace\",\"path\":\"/metadata/annotations/%1$s\",\"value\":\"%3$s\"}]"
                      .formatted(swap.key(), swap.expected(), swap.value()));
          case Apply apply ->
              http.send(
                  "PATCH",
                  url + query + "fieldManager=" + apply.manager(),
                  "application/apply-patch+yaml",
                  body(Map.of(apply.key(), apply.value()), 0, "").toString());
          case Delete delete -> http.send("DELETE", url + query, JSON, options(delete, dryRun));
        };
    return answered(operation, dryRun, began, answer);
  }

  private Answered answered(
      RaceOperation operation, boolean dryRun, long began, RaceHttp.Answer answer) {
    long ended = System.nanoTime();
    if (answer.code() >= 300) {
      return new Answered(
          name, operation, dryRun, began, ended, answer.code(), 0, "", Map.of(), answer.message());
    }
    if (operation instanceof Delete) {
      var uid = answer.body().object("details").string("uid");
      return new Answered(
          name, operation, dryRun, began, ended, answer.code(), 0, uid, Map.of(), "");
    }
    var state = state(answer.body());
    return new Answered(
        name,
        operation,
        dryRun,
        began,
        ended,
        answer.code(),
        state.revision(),
        state.uid(),
        state.notes(),
        "");
  }

  /** An object as some answer shows it. */
  static State state(JsonObject object) {
    var metadata = object.object("metadata");
    var revision = metadata.string("resourceVersion");
    return new State(
        revision.isEmpty() ? 0 : Long.parseLong(revision),
        metadata.string("uid"),
        metadata.object("annotations").strings());
  }

  private JsonObject body(Map<String, String> notes, long revision, String uid) {
    var metadata = JsonObject.builder().put("name", object);
    var annotations = JsonObject.builder();
    notes.forEach(annotations::put);
    metadata.put("annotations", annotations.build());
    metadata.putIf("resourceVersion", revision == 0 ? "" : Long.toString(revision));
    metadata.putIf("uid", uid);
    return JsonObject.of(
        "apiVersion", kind.apiVersion(), "kind", kind.kind(), "metadata", metadata.build());
  }

  private static JsonObject patch(Patch patch) {
    var metadata = JsonObject.of("annotations", JsonObject.of(patch.key(), patch.value()));
    return JsonObject.of(
        "metadata",
        patch.revision() == 0
            ? metadata
            : metadata.with("resourceVersion", Long.toString(patch.revision())));
  }

  private static String options(Delete delete, boolean dryRun) {
    var options = JsonObject.of("kind", "DeleteOptions", "apiVersion", "v1");
    if (dryRun) {
      options = options.with("dryRun", JsonArray.ofStrings(List.of("All")));
    }
    var preconditions = JsonObject.EMPTY;
    if (delete.revision() != 0) {
      preconditions = preconditions.with("resourceVersion", Long.toString(delete.revision()));
    }
    if (!delete.uid().isEmpty()) {
      preconditions = preconditions.with("uid", delete.uid());
    }
    return options.with("preconditions", preconditions).toString();
  }
}
