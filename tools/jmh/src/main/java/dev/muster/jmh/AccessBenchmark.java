package dev.muster.jmh;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Decision;
import dev.muster.authorization.rbac.RbacAuthorizer;
import dev.muster.flowcontrol.Flow;
import dev.muster.flowcontrol.PriorityLevels;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.model.User;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What is asked about every request: with the roles and flows of a first start. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccessBenchmark {
  private static final int SEATS = 600;

  private final BootstrapCluster cluster = new BootstrapCluster();
  private final RbacAuthorizer authorizer = new RbacAuthorizer(() -> cluster);
  private final PriorityLevels levels = new PriorityLevels(SEATS, SEATS, 0);
  private final Attributes request =
      Attributes.resource(
          User.of("system:kube-scheduler", User.ALL_AUTHENTICATED),
          "get",
          "",
          "v1",
          "pods",
          "",
          "default",
          "web");

  public AccessBenchmark() {
    levels.configure(
        cluster.list("/flowschemas", "").stream().map(FlowSchema::of).toList(),
        cluster.list("/prioritylevelconfigurations", "").stream()
            .map(PriorityLevelSpec::of)
            .toList(),
        0);
    if (!authorizer.authorize(request).allowed()) {
      throw new IllegalStateException("the scheduler may not read pods");
    }
  }

  @Benchmark
  public Decision rbac() {
    return authorizer.authorize(request);
  }

  @Benchmark
  public Flow flow() {
    return levels.classify(request);
  }
}
