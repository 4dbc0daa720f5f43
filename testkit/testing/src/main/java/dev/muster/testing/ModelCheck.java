package dev.muster.testing;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Runs Lincheck model checking with two threads; the JDK's collections count as one step. {@code
 * -Dmuster.schedules} sets the number of scenarios, each with 200 schedules.
 */
public final class ModelCheck {
  private static final int SCENARIOS = Integer.getInteger("muster.schedules", 6);
  private static final int ORDERS = 200;

  /** Enough scenarios to find a seeded fault. */
  private static final int SCENARIOS_OF_FAULTS = 20;

  private final ModelCheckingOptions options =
      new ModelCheckingOptions()
          .threads(2)
          .minimizeFailedScenario(false)
          .addGuarantee(
              forClasses(
                      ConcurrentHashMap.class.getName(),
                      ConcurrentHashMap.KeySetView.class.getName(),
                      ConcurrentLinkedQueue.class.getName(),
                      CompletableFuture.class.getName())
                  .allMethods()
                  .treatAsAtomic());

  private ModelCheck() {}

  /** Both threads take two steps, with the given number of steps before and after them. */
  public static ModelCheck ofScenarios(int before, int after) {
    var check = new ModelCheck();
    check
        .options
        .iterations(SCENARIOS)
        .invocationsPerIteration(ORDERS)
        .actorsPerThread(2)
        .actorsBefore(before)
        .actorsAfter(after);
    return check;
  }

  /** Each thread takes one step, in many schedules. */
  public static ModelCheck ofTwoSteps() {
    var check = new ModelCheck();
    check
        .options
        .iterations(1)
        .invocationsPerIteration(ORDERS * SCENARIOS)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0);
    return check.unordered();
  }

  /** Checks only the subject's own validation, not linearizability. */
  public ModelCheck unordered() {
    options.verifier(EpsilonVerifier.class);
    return this;
  }

  /** Treats a method of the subject as one step. */
  public ModelCheck atomic(Class<?> owner, String method) {
    options.addGuarantee(forClasses(owner.getName()).methods(method).treatAsAtomic());
    return this;
  }

  /** Runs more scenarios, for a subject with a fault. */
  public ModelCheck forFault() {
    options.iterations(SCENARIOS_OF_FAULTS);
    return this;
  }

  public void check(Class<?> subject) {
    options.check(subject);
  }
}
