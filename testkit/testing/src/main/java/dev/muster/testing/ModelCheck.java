package dev.muster.testing;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Has Lincheck try orders of the steps of two threads; the collections of the JDK count as one
 * step. {@code -Dmuster.schedules} says how many scenarios of 200 orders are tried.
 */
public final class ModelCheck {
  private static final int SCENARIOS = Integer.getInteger("muster.schedules", 6);
  private static final int ORDERS = 200;

  /** Among so many scenarios a seeded fault is found. */
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

  /** Both threads take two steps; so many come before and after them. */
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

  /** Each thread takes one step, in many orders. */
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

  /** Only what the subject itself validates counts, not whether its results have an order. */
  public ModelCheck unordered() {
    options.verifier(EpsilonVerifier.class);
    return this;
  }

  /** A method of the subject counts as one step. */
  public ModelCheck atomic(Class<?> owner, String method) {
    options.addGuarantee(forClasses(owner.getName()).methods(method).treatAsAtomic());
    return this;
  }

  /** Tries more scenarios, for a subject with a fault. */
  public ModelCheck forFault() {
    options.iterations(SCENARIOS_OF_FAULTS);
    return this;
  }

  public void check(Class<?> subject) {
    options.check(subject);
  }
}
