package dev.muster.bench.definitions;

import dev.muster.bench.BenchOptions;
import dev.muster.bench.CustomKind;
import dev.muster.bench.Progress;
import dev.muster.bench.SeedData;
import dev.muster.bench.ServerProcesses;
import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.PacedLoad;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.Tally;
import dev.muster.bench.client.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Used by one thread. Creates definitions one after the other, as fast as they are answered, while
 * somebody else reads a ConfigMap at a fixed rate and a third waits for each resource to be served.
 */
final class DefinitionArrival implements AutoCloseable {
  private static final double READS_PER_SECOND = 100;
  private static final long LEAST_DOCUMENT = 1_000;

  private final ServerProcesses processes;
  private final BenchOptions options;
  private final List<GeneratedDefinition> definitions;
  private final DefinitionResults results;
  private final Progress progress;
  private final RequestFactory requests;
  private final Transport transport;
  private final Api api;
  private final SeedData data;

  /** A definition and when its create was answered. */
  private record Created(GeneratedDefinition definition, long answeredAt) {}

  DefinitionArrival(
      BenchTarget target,
      ServerProcesses processes,
      BenchOptions options,
      List<GeneratedDefinition> definitions,
      DefinitionResults results,
      Progress progress) {
    this.processes = processes;
    this.options = options;
    this.definitions = definitions;
    this.results = results;
    this.progress = progress;
    this.requests = new RequestFactory(target);
    this.transport = new Transport(target, options.threads());
    this.api = new Api(transport);
    this.data = new SeedData(transport, requests, api, options, progress);
  }

  void measure() {
    warmUp();
    var path = data.configMaps("others", 1) + "/" + SeedData.objectName(0);
    var reads = new Tally();
    try (var _ =
        new PacedLoad(
            transport,
            READS_PER_SECOND,
            connection -> requests.get(path),
            body -> {},
            () -> 0,
            reads)) {
      var cpuBefore = processes.cpuMicros();
      var compilersBefore = processes.compilerMicros();
      pause(options.duration().toMillis());
      long cpu = difference(cpuBefore, processes.cpuMicros()).orElse(0);
      // What is compiled for reads is compiled once, however many there are.
      cpu -= difference(compilersBefore, processes.compilerMicros()).orElse(0);
      double perRead = cpu / (double) Math.max(1, reads.done());
      none("others-before", "GET of others, before", reads);
      memory("before", "before");
      reads.reset();
      create(() -> Math.round(perRead * reads.done()));
      none("others-meanwhile", "GET of others, meanwhile", reads);
    }
    memory("after", "with definitions");
    document("openapi-v2", "/openapi/v2, first time", "/openapi/v2");
    change(definitions.getFirst());
    document("openapi-v2-changed", "/openapi/v2 after one change", "/openapi/v2");
    document("openapi-v3", "/openapi/v3/apis/… of one group", definitions.get(1).document());
    memory("documents", "with documents");
  }

  /** Definitions that come and go, until the time is over. */
  private void warmUp() {
    long endsAt = System.nanoTime() + options.warmUp().toNanos();
    var made = new ArrayList<GeneratedDefinition>();
    while (System.nanoTime() < endsAt) {
      var one = new GeneratedDefinition(data.prefix() + ".warm", made.size());
      progress.show("definitions: warming up, " + made.size());
      api.expect(requests.post(CustomKind.DEFINITIONS, one.json(0)));
      api.await(requests.get(one.path()), 200);
      made.add(one);
    }
    delete(made);
  }

  /**
   * @param others the CPU that others have used meanwhile, in microseconds
   */
  private void create(LongSupplier others) {
    var creates = new Tally();
    var served = new Tally();
    var late = new AtomicInteger();
    var created = new LinkedBlockingQueue<Created>();
    var cpuBefore = processes.cpuMicros();
    var compilersBefore = processes.compilerMicros();
    var watcher =
        CompletableFuture.runAsync(() -> await(created, served, late), Thread::startVirtualThread);
    for (var definition : definitions) {
      progress.show("definitions: " + definition.number() + " of " + definitions.size());
      long sentAt = System.nanoTime();
      api.expect(requests.post(CustomKind.DEFINITIONS, definition.json(0)));
      long answeredAt = System.nanoTime();
      creates.success(answeredAt - sentAt);
      created.add(new Created(definition, answeredAt));
    }
    try {
      watcher.join();
    } catch (CompletionException e) {
      throw new BenchFailure(String.valueOf(e.getCause()), e);
    }
    awaitQuiet();
    var cpu = difference(cpuBefore, processes.cpuMicros());
    if (cpu.isPresent()) {
      cpu = OptionalLong.of(Math.max(0, cpu.getAsLong() - others.getAsLong()));
    }
    var compilers = difference(compilersBefore, processes.compilerMicros());
    results.add("definitions", "CREATE of definitions", creates, cpu, processes.residentBytes());
    results.costs(cpu, compilers, late.get());
    none("definitions-served", "from the answer until served", served);
  }

  /** Asks for the objects of each definition in turn until there is an answer. */
  private void await(BlockingQueue<Created> created, Tally served, AtomicInteger late) {
    try (var own = new Api(transport)) {
      for (int i = 0; i < definitions.size(); i++) {
        var next = created.take();
        if (own.await(requests.get(next.definition().path()), 200) > 0) {
          late.incrementAndGet();
        }
        served.success(Math.max(0, System.nanoTime() - next.answeredAt()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  /** What goes on after the answers counts, too: until hardly any CPU is used, or for a minute. */
  private void awaitQuiet() {
    for (int i = 0; i < 120; i++) {
      var before = processes.cpuMicros();
      pause(500);
      var used = difference(before, processes.cpuMicros());
      if (used.isEmpty() || used.getAsLong() < 100_000) {
        return;
      }
    }
  }

  private void document(String name, String title, String path) {
    var tally = new Tally();
    progress.show(title);
    var cpuBefore = processes.cpuMicros();
    long sentAt = System.nanoTime();
    var answer = api.expect(requests.get(path));
    tally.success(System.nanoTime() - sentAt);
    if (answer.body().length() < LEAST_DOCUMENT) {
      throw new BenchFailure(path + " is no document: " + Api.brief(answer.body()));
    }
    results.add(
        name, title, tally, difference(cpuBefore, processes.cpuMicros()), OptionalLong.empty());
  }

  private void change(GeneratedDefinition definition) {
    api.expect(
        requests.patch(
            CustomKind.DEFINITIONS + "/" + definition.name() + "?fieldManager=bench&force=true",
            "application/apply-patch+yaml",
            definition.json(1)));
  }

  private void none(String name, String title, Tally tally) {
    results.add(name, title, tally, OptionalLong.empty(), OptionalLong.empty());
  }

  private void memory(String moment, String title) {
    results.memory("heap-" + moment, "heap, " + title, JvmHeap.liveBytes(processes));
    results.memory("resident-" + moment, "resident, " + title, processes.residentBytes());
  }

  private static OptionalLong difference(OptionalLong before, OptionalLong after) {
    return before.isEmpty() || after.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(after.getAsLong() - before.getAsLong());
  }

  void delete() {
    delete(definitions);
  }

  private void delete(List<GeneratedDefinition> all) {
    progress.show("definitions: cleaning up");
    for (var definition : all) {
      api.call(requests.delete(CustomKind.DEFINITIONS + "/" + definition.name()));
    }
    for (var definition : all) {
      api.await(requests.get(CustomKind.DEFINITIONS + "/" + definition.name()), 404);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  @Override
  public void close() {
    data.close();
    api.close();
    transport.close();
    progress.clear();
  }
}
