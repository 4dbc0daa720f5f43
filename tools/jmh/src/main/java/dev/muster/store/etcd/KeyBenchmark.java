package dev.muster.store.etcd;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Keys on their way to etcd and back; in this package because nobody else needs to see them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {
  private final EtcdKeys keys = new EtcdKeys("/registry");
  private String key = "/pods/default/web-5d4f8c7b9-abcde";

  @Benchmark
  public byte[] key() {
    return keys.toEtcd(key);
  }
}
