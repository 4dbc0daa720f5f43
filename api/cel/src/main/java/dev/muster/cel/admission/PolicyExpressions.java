package dev.muster.cel.admission;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.StructTypes;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the expressions of one webhook or policy in their order, so that each variable is known
 * after its declaration. Loads CEL on first use. Not thread-safe.
 */
public final class PolicyExpressions {
  private static final CelType TEXTS = ListType.create(SimpleType.STRING);
  private static final String VARIABLES = "kubernetes.variables";
  private static final Map<String, Map<String, CelType>> STRUCTS = structs();

  /** The variables and functions that an expression can use. */
  public record Scope(boolean params, boolean authorizer, boolean patches) {}

  /**
   * The types of the objects that expressions can use.
   *
   * @param object the type of {@code object} and {@code oldObject}
   * @param structs the structs that these types name, with their fields
   */
  public record ObjectTypes(
      CelType object, CelType params, Map<String, Map<String, CelType>> structs) {
    /** Types that allow any field. */
    public static final ObjectTypes UNKNOWN =
        new ObjectTypes(SimpleType.DYN, SimpleType.DYN, Map.of());
  }

  private final boolean composed;
  private final ObjectTypes objects;
  private final Map<String, CelType> variables = new LinkedHashMap<>();
  private final Map<Scope, ExpressionChecker> checkers = new HashMap<>();

  /**
   * @param composed whether expressions can use {@code variables}
   */
  public PolicyExpressions(boolean composed) {
    this.composed = composed;
    this.objects = ObjectTypes.UNKNOWN;
  }

  /** For expressions that can use {@code variables} and objects of these types. */
  public PolicyExpressions(ObjectTypes objects) {
    this.composed = true;
    this.objects = objects;
  }

  /** Shared checkers for expressions without {@code variables}. */
  private static final class Plain {
    static final Map<Scope, ExpressionChecker> CHECKERS = new ConcurrentHashMap<>();
  }

  private ExpressionChecker checker(Scope scope) {
    return composed
        ? checkers.computeIfAbsent(scope, this::make)
        : Plain.CHECKERS.computeIfAbsent(scope, this::make);
  }

  private ExpressionChecker make(Scope scope) {
    var types = new LinkedHashMap<String, CelType>();
    types.put("object", objects.object());
    types.put("oldObject", objects.object());
    types.put("namespaceObject", StructTypes.of("kubernetes.Namespace"));
    types.put("request", StructTypes.of("kubernetes.AdmissionRequest"));
    if (scope.params()) {
      types.put("params", objects.params());
    }
    if (scope.authorizer()) {
      types.put("authorizer", ExpressionChecker.authorizationType("Authorizer"));
      types.put("authorizer.requestResource", ExpressionChecker.authorizationType("ResourceCheck"));
    }
    var structs = new HashMap<>(STRUCTS);
    structs.putAll(objects.structs());
    if (composed) {
      types.put("variables", StructTypes.of(VARIABLES));
      structs.put(VARIABLES, Collections.unmodifiableMap(variables));
    }
    if (!scope.patches()) {
      structs.remove("JSONPatch");
    }
    return scope.patches()
        ? ExpressionChecker.of(
            types, new StructTypes(structs, "Object"), ExpressionChecker.Extra.PATCHES)
        : ExpressionChecker.of(types, new StructTypes(structs, ""));
  }

  public Checked check(String expression, Scope scope) {
    return checker(scope).check(expression);
  }

  /** Declares a variable for all following expressions, even if its own expression is invalid. */
  public void declare(String name, CelType type) {
    if (!name.isEmpty()) {
      variables.put(name, declared(type));
    }
  }

  /** The type of a variable for expressions: plain values, lists and maps. */
  private static CelType declared(CelType type) {
    return switch (type) {
      case SimpleType simple when simple.kind() != CelKind.ERROR -> simple;
      case ListType list -> ListType.create(declared(list.elemType()));
      case MapType map -> MapType.create(declared(map.keyType()), declared(map.valueType()));
      default -> SimpleType.DYN;
    };
  }

  private static Map<String, Map<String, CelType>> structs() {
    var all = new HashMap<String, Map<String, CelType>>();
    all.put("kubernetes.GroupVersionKind", texts("group", "version", "kind"));
    all.put("kubernetes.GroupVersionResource", texts("group", "version", "resource"));
    all.put(
        "kubernetes.UserInfo",
        Map.of(
            "username",
            SimpleType.STRING,
            "uid",
            SimpleType.STRING,
            "groups",
            TEXTS,
            "extra",
            MapType.create(SimpleType.STRING, TEXTS)));
    var kind = StructTypes.of("kubernetes.GroupVersionKind");
    var resource = StructTypes.of("kubernetes.GroupVersionResource");
    var request =
        new HashMap<>(texts("subResource", "requestSubResource", "name", "namespace", "operation"));
    request.put("kind", kind);
    request.put("resource", resource);
    request.put("requestKind", kind);
    request.put("requestResource", resource);
    request.put("userInfo", StructTypes.of("kubernetes.UserInfo"));
    request.put("dryRun", SimpleType.BOOL);
    request.put("options", SimpleType.DYN);
    all.put("kubernetes.AdmissionRequest", request);
    namespace(all);
    var patch = new HashMap<>(texts("op", "path", "from"));
    patch.put("value", SimpleType.DYN);
    patch.put("", OpaqueType.create(""));
    all.put("JSONPatch", patch);
    return Map.copyOf(all);
  }

  private static void namespace(Map<String, Map<String, CelType>> all) {
    all.put("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS));
    var condition = new HashMap<>(texts("status", "type", "message", "reason"));
    condition.put("lastTransitionTime", SimpleType.TIMESTAMP);
    all.put("kubernetes.NamespaceCondition", condition);
    all.put(
        "kubernetes.NamespaceStatus",
        Map.of(
            "conditions",
            ListType.create(StructTypes.of("kubernetes.NamespaceCondition")),
            "phase",
            SimpleType.STRING));
    var metadata =
        new HashMap<>(texts("name", "generateName", "namespace", "UID", "resourceVersion"));
    metadata.put("labels", MapType.create(SimpleType.STRING, SimpleType.STRING));
    metadata.put("annotations", MapType.create(SimpleType.STRING, SimpleType.STRING));
    metadata.put("creationTimestamp", SimpleType.TIMESTAMP);
    metadata.put("deletionTimestamp", SimpleType.TIMESTAMP);
    metadata.put("deletionGracePeriodSeconds", SimpleType.INT);
    metadata.put("generation", SimpleType.INT);
    metadata.put("finalizers", TEXTS);
    all.put("kubernetes.NamespaceMetadata", metadata);
    all.put(
        "kubernetes.Namespace",
        Map.of(
            "metadata", StructTypes.of("kubernetes.NamespaceMetadata"),
            "spec", StructTypes.of("kubernetes.NamespaceSpec"),
            "status", StructTypes.of("kubernetes.NamespaceStatus")));
  }

  private static Map<String, CelType> texts(String... names) {
    var fields = new HashMap<String, CelType>();
    List.of(names).forEach(name -> fields.put(name, SimpleType.STRING));
    return fields;
  }
}
