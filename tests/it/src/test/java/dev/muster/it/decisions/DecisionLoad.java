package dev.muster.it.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.decisions.Observed.Changed;
import dev.muster.it.decisions.Observed.Decided;
import dev.muster.it.races.RaceHttp;
import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.it.races.RacingServers;
import dev.muster.store.Store;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Used by one thread, which it keeps busy. Every rule comes and goes after a few requests of the
 * clients, which ask all servers for everything.
 */
final class DecisionLoad implements AutoCloseable {
  private static final int CLIENTS = 9;
  private static final int FEWEST_REQUESTS = 3;
  private static final int MOST_REQUESTS = 16;

  private final RaceHttp http = new RaceHttp(RacingServers.TOKEN);
  private final RefusingWebhook webhook = new RefusingWebhook();
  private final Map<Rule, Semaphore> requests = new EnumMap<>(Rule.class);
  private final List<Observed> observed = new ArrayList<>();
  private final List<String> servers;
  private final RuleLog log;
  private final boolean steady;
  private volatile boolean loading = true;

  private DecisionLoad(List<String> servers, RuleLog log, boolean steady)
      throws IOException, GeneralSecurityException {
    this.servers = servers;
    this.log = log;
    this.steady = steady;
  }

  /**
   * How it went.
   *
   * @param violations what cannot be
   */
  record Outcome(List<String> violations, List<RuleLog.Entry> log, List<Observed> observed) {}

  /**
   * So many requests, or those until a moment of {@link System#nanoTime}, if everything has come
   * about by then.
   */
  record Limit(int requests, long deadline) {
    static Limit of(int requests, Duration time) {
      return new Limit(requests, System.nanoTime() + time.toNanos());
    }
  }

  /**
   * Puts load on those servers.
   *
   * @param store theirs
   * @param steady whether each rule is changed through one server only, which has seen all of its
   *     changes then, however little it cares for others
   * @param limit when it is enough
   */
  static Outcome run(RacingServers racing, Store store, long seed, boolean steady, Limit limit)
      throws Exception {
    var servers = racing.urls();
    try (var log = new RuleLog(store);
        var load = new DecisionLoad(servers, log, steady)) {
      load.prepare();
      return load.run(new Random(seed), limit);
    }
  }

  private Outcome run(Random random, Limit limit) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Future<?>>();
      var changers = new ArrayList<Future<?>>();
      for (var rule : Rule.values()) {
        requests.put(rule, new Semaphore(0));
      }
      for (var rule : Rule.values()) {
        var own = new Random(random.nextLong());
        int home = own.nextInt(servers.size());
        changers.add(threads.submit(() -> change(rule, own, home)));
      }
      for (int i = 0; i < CLIENTS; i++) {
        var client = new DecisionClient("c" + i, http, servers, new Random(random.nextLong()));
        clients.add(threads.submit(() -> ask(client, limit)));
      }
      try {
        await(clients);
      } finally {
        loading = false;
        requests.values().forEach(semaphore -> semaphore.release(MOST_REQUESTS));
      }
      await(changers);
    }
    var last = http.get(servers.getFirst() + "/api/v1/namespaces/load/configmaps?limit=1");
    var entries =
        log.upTo(Long.parseLong(last.body().object("metadata").string("resourceVersion")));
    synchronized (this) {
      return new Outcome(
          DecisionChecker.violations(entries, observed), entries, List.copyOf(observed));
    }
  }

  private static void await(List<Future<?>> tasks) throws InterruptedException, ExecutionException {
    for (var task : tasks) {
      task.get();
    }
  }

  private void ask(DecisionClient client, Limit limit) {
    for (int i = 0; i < limit.requests() / CLIENTS && !isEnough(limit); i++) {
      add(client.ask());
      requests.values().forEach(Semaphore::release);
    }
  }

  private synchronized boolean isEnough(Limit limit) {
    return limit.deadline() < System.nanoTime() && hasAllVerdicts(observed);
  }

  /**
   * Whether everything was done by somebody and forbidden to somebody, and refused if it can be.
   */
  static boolean hasAllVerdicts(List<Observed> observed) {
    var wanted = new HashMap<Deed, Set<Deed.Verdict>>();
    for (var deed : Deed.values()) {
      wanted.put(deed, wanted(deed));
    }
    for (var one : observed) {
      if (one instanceof Decided decided) {
        wanted.getOrDefault(decided.deed(), Set.of()).remove(decided.verdict());
      }
    }
    return wanted.values().stream().allMatch(Set::isEmpty);
  }

  private static Set<Deed.Verdict> wanted(Deed deed) {
    var wanted = EnumSet.of(Deed.Verdict.DONE, Deed.Verdict.FORBIDDEN);
    switch (deed) {
      case CREATE -> {
        wanted.add(Deed.Verdict.LABELLED);
        wanted.add(Deed.Verdict.REFUSED_BY_POLICY);
      }
      case PATCH -> wanted.add(Deed.Verdict.REFUSED_BY_POLICY);
      case CREATE_SECRET -> wanted.add(Deed.Verdict.REFUSED_BY_WEBHOOK);
      default -> {}
    }
    return wanted;
  }

  private void change(Rule rule, Random random, int home) {
    var asked = Objects.requireNonNull(requests.get(rule));
    boolean there = false;
    while (loading) {
      asked.acquireUninterruptibly(random.nextInt(FEWEST_REQUESTS, MOST_REQUESTS + 1));
      int server = steady ? home : random.nextInt(servers.size());
      var collection = servers.get(server) + rule.collection();
      long began = System.nanoTime();
      made(
          there
              ? http.send("DELETE", collection + "/" + Rule.NAME, "", "")
              : http.post(collection, rule.object(webhook.client())));
      there = !there;
      add(new Changed(rule, there, server, began, System.nanoTime()));
    }
  }

  private synchronized void add(Observed one) {
    observed.add(one);
  }

  private static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
  }

  private void make(String collection, String json) {
    made(http.post(servers.getFirst() + collection, json));
  }

  /** What stays. */
  private void prepare() {
    make("/api/v1/namespaces", "{\"metadata\":{\"name\":\"load\"}}");
    make("/api/v1/namespaces/load/configmaps", "{\"metadata\":{\"name\":\"there\"}}");
    make(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        """
        {"metadata":{"name":"stays"},"rules":[{"verbs":["*"],"apiGroups":[""],
         "resources":["configmaps","secrets"]}]}
        """);
    make(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/load/rolebindings",
        """
        {"metadata":{"name":"stays"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"comes-and-goes"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"robot"}]}
        """);
    make(Rule.POLICY.collection(), Rule.policy("stays"));
    make(Rule.POLICY_BINDING.collection(), Rule.binding("stays", Rule.NAME));
    make(
        "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
        """
        {"metadata":{"name":"stays"},"spec":{"failurePolicy":"Fail","reinvocationPolicy":"Never",
         "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
          "operations":["CREATE"],"resources":["configmaps"]}],
          "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"load"}}},
         "mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":
          "Object{metadata: Object.metadata{labels: {'labelled': 'yes'}}}"}}]}}
        """);
  }

  @Override
  public void close() {
    http.close();
    webhook.close();
  }
}
