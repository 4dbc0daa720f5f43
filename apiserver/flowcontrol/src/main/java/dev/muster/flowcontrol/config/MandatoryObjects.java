package dev.muster.flowcontrol.config;

import dev.muster.flowcontrol.config.FlowRule.Names;
import dev.muster.flowcontrol.config.FlowRule.PathMatch;
import dev.muster.flowcontrol.config.FlowRule.ResourceMatch;
import dev.muster.flowcontrol.config.FlowSchema.Distinguisher;
import dev.muster.model.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The mandatory FlowSchemas and priority levels, which apply even before they are created or after
 * they were deleted. They guarantee that exempt requests pass and that every request has a level.
 */
public final class MandatoryObjects {
  public static final List<PriorityLevelSpec> LEVELS =
      List.of(
          new PriorityLevelSpec(FlowSchema.EXEMPT, "", true, 0, 0, null, null),
          new PriorityLevelSpec(FlowSchema.CATCH_ALL, "", false, 5, 0, null, null));

  private static final Names ALL = new Names(true, List.of("*"));

  private static final FlowSchema EXEMPT =
      schema(FlowSchema.EXEMPT, 1, Distinguisher.NONE, User.MASTERS);
  private static final FlowSchema CATCH_ALL =
      schema(
          FlowSchema.CATCH_ALL,
          10_000,
          Distinguisher.BY_USER,
          User.ALL_UNAUTHENTICATED,
          User.ALL_AUTHENTICATED);

  private MandatoryObjects() {}

  private static FlowSchema schema(
      String name, long precedence, Distinguisher distinguisher, String... groups) {
    return new FlowSchema(
        name,
        "",
        precedence,
        name,
        distinguisher,
        List.of(
            new FlowRule(
                Stream.of(groups).<FlowSubject>map(FlowSubject.OfGroup::new).toList(),
                List.of(new ResourceMatch(ALL, ALL, ALL, true, ALL)),
                List.of(new PathMatch(ALL, ALL)))));
  }

  /** The FlowSchemas whose level exists, in order, with exempt first and catch-all last. */
  public static List<FlowSchema> complete(List<FlowSchema> given, Set<String> levels) {
    var schemas = new ArrayList<FlowSchema>();
    given.stream()
        .filter(schema -> levels.contains(schema.level()))
        .sorted(FlowSchema.ORDER)
        .forEach(schemas::add);
    if (schemas.stream().noneMatch(schema -> schema.name().equals(FlowSchema.EXEMPT))) {
      schemas.addFirst(EXEMPT);
    }
    if (schemas.stream().noneMatch(schema -> schema.name().equals(FlowSchema.CATCH_ALL))) {
      schemas.add(CATCH_ALL);
    }
    return schemas;
  }
}
