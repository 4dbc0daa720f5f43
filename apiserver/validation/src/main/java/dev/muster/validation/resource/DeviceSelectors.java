package dev.muster.validation.resource;

import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.CostEstimate;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.SizedType;
import dev.muster.cel.StructTypes;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import java.util.Map;

/** Validates the CEL expressions that select devices. */
final class DeviceSelectors {
  private static final int MOST = 32;
  private static final int MOST_BYTES = 10 * 1024;
  private static final long MOST_COST = 1_000_000;

  private DeviceSelectors() {}

  /** Loaded when the first expression is validated. */
  private static final class Checker {
    private static final String DEVICE = "kubernetes.DRADevice";
    static final ExpressionChecker INSTANCE =
        ExpressionChecker.of(
            Map.of("device", StructTypes.of(DEVICE)),
            new StructTypes(
                Map.of(
                    DEVICE,
                    Map.of(
                        "driver",
                        SimpleType.STRING,
                        "allowMultipleAllocations",
                        SimpleType.BOOL,
                        "attributes",
                        byDomain(SimpleType.ANY),
                        "capacity",
                        byDomain(OpaqueType.create("kubernetes.Quantity")))),
                ""),
            ExpressionChecker.Extra.BINDINGS);

    static final SizedType SIZES =
        SizedType.struct(
            Map.of(
                "driver",
                SizedType.sized(63),
                "allowMultipleAllocations",
                SizedType.sized(1),
                "attributes",
                byDomain(SizedType.map(SizedType.sized(64), MOST, 32).opened()),
                "capacity",
                byDomain(SizedType.map(SizedType.sized(0), MOST, 32))));

    private static SizedType byDomain(SizedType values) {
      return SizedType.map(values, MOST, 63);
    }

    private static CelType byDomain(CelType type) {
      return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, type));
    }
  }

  static void check(FieldCursor selectors) {
    DeviceLists.list(selectors, MOST, DeviceSelectors::one);
  }

  private static void one(FieldCursor selector) {
    var cel = selector.at("cel");
    if (cel.isAbsent()) {
      cel.required("");
      return;
    }
    var expression = cel.at("expression");
    if (GoText.bytes(expression.text()) > MOST_BYTES) {
      expression.tooLong(MOST_BYTES);
      return;
    }
    switch (Checker.INSTANCE.check(expression.text())) {
      case Checked.Unsound unsound ->
          expression.invalid("compilation failed: " + unsound.problem());
      case Checked.Sound sound -> {
        if (!sound.celType().equals(SimpleType.BOOL) && !sound.celType().equals(SimpleType.ANY)) {
          expression.invalid("must evaluate to bool or the unknown type, not " + sound.type());
        } else if (!sound.unplanned(expression.text()).isEmpty()) {
          expression.report(
              FieldError.internal(
                  expression.path(),
                  "program instantiation failed: " + sound.unplanned(expression.text())));
        } else if (CostEstimate.most(sound, Checker.SIZES) > MOST_COST) {
          expression.forbidden("too complex, exceeds cost limit");
        }
      }
    }
  }
}
