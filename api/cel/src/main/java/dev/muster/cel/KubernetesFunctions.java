package dev.muster.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Declares the functions that Kubernetes adds to CEL. Each line is a function: its arguments,
 * beginning with the receiver, and its result.
 */
final class KubernetesFunctions {
  private static final String DECLARATIONS =
      """
      duration (int) duration
      int (duration) int
      string . format (list(dyn)) string
      string . find (string) string
      string . findAll (string) list(string)
      string . findAll (string, int) list(string)
      url (string) URL
      isURL (string) bool
      URL . getScheme () string
      URL . getHost () string
      URL . getHostname () string
      URL . getPort () string
      URL . getEscapedPath () string
      URL . getQuery () map(string,list(string))
      list(A) . indexOf (A) int
      list(A) . lastIndexOf (A) int
      list(optional(A)) . unwrapOpt () list(A)
      quantity (string) Quantity
      isQuantity (string) bool
      sign (Quantity) int
      Quantity . isGreaterThan (Quantity) bool
      Quantity . isLessThan (Quantity) bool
      Quantity . compareTo (Quantity) int
      Quantity . asApproximateFloat () double
      Quantity . asInteger () int
      Quantity . isInteger () bool
      Quantity . add (Quantity) Quantity
      Quantity . add (int) Quantity
      Quantity . sub (Quantity) Quantity
      Quantity . sub (int) Quantity
      semver (string) Semver
      semver (string, bool) Semver
      isSemver (string) bool
      isSemver (string, bool) bool
      Semver . isGreaterThan (Semver) bool
      Semver . isLessThan (Semver) bool
      Semver . compareTo (Semver) int
      Semver . major () int
      Semver . minor () int
      Semver . patch () int
      ip (string) IP
      isIP (string) bool
      ip.isCanonical (string) bool
      IP . family () int
      IP . isUnspecified () bool
      IP . isLoopback () bool
      IP . isLinkLocalMulticast () bool
      IP . isLinkLocalUnicast () bool
      IP . isGlobalUnicast () bool
      string (IP) string
      cidr (string) CIDR
      isCIDR (string) bool
      CIDR . containsIP (string) bool
      CIDR . containsIP (IP) bool
      CIDR . containsCIDR (string) bool
      CIDR . containsCIDR (CIDR) bool
      CIDR . ip () IP
      CIDR . prefixLength () int
      CIDR . masked () CIDR
      string (CIDR) string
      Format . validate (string) optional(list(string))
      format.named (string) optional(Format)
      Authorizer . path (string) PathCheck
      Authorizer . group (string) GroupCheck
      Authorizer . serviceAccount (string, string) Authorizer
      GroupCheck . resource (string) ResourceCheck
      ResourceCheck . subresource (string) ResourceCheck
      ResourceCheck . namespace (string) ResourceCheck
      ResourceCheck . name (string) ResourceCheck
      ResourceCheck . fieldSelector (string) ResourceCheck
      ResourceCheck . labelSelector (string) ResourceCheck
      PathCheck . check (string) Decision
      ResourceCheck . check (string) Decision
      Decision . errored () bool
      Decision . error () string
      Decision . allowed () bool
      Decision . reason () string
      """;
  private static final List<String> FORMATS =
      List.of(
          "dns1123Label",
          "dns1123Subdomain",
          "dns1035Label",
          "qualifiedName",
          "dns1123LabelPrefix",
          "dns1123SubdomainPrefix",
          "dns1035LabelPrefix",
          "labelValue",
          "uri",
          "uuid",
          "byte",
          "date",
          "datetime");
  private static final List<String> SUMMABLE = List.of("int", "uint", "double", "duration");
  private static final List<String> COMPARABLE =
      List.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");

  /** The function that only JSON patches use. */
  static final CelFunctionDecl ESCAPE_KEY =
      CelFunctionDecl.newFunctionDeclaration(
          "jsonpatch.escapeKey",
          CelOverloadDecl.newGlobalOverload(
              "string_jsonpatch_escapeKey_string", SimpleType.STRING, SimpleType.STRING));

  private KubernetesFunctions() {}

  static List<CelFunctionDecl> all() {
    var overloads = new LinkedHashMap<String, List<CelOverloadDecl>>();
    DECLARATIONS.lines().forEach(line -> add(line, overloads));
    for (var type : COMPARABLE) {
      add("list(" + type + ") . isSorted () bool", overloads);
      add("list(" + type + ") . min () " + type, overloads);
      add("list(" + type + ") . max () " + type, overloads);
      add("list(" + type + ") . sort () list(" + type + ")", overloads);
      add("list(A) . " + SortBy.FUNCTION + " (list(" + type + ")) list(A)", overloads);
    }
    SUMMABLE.forEach(type -> add("list(" + type + ") . sum () " + type, overloads));
    FORMATS.forEach(name -> add("format." + name + " () Format", overloads));
    var all = new ArrayList<CelFunctionDecl>();
    overloads.forEach((name, list) -> all.add(CelFunctionDecl.newFunctionDeclaration(name, list)));
    return all;
  }

  private static void add(String line, Map<String, List<CelOverloadDecl>> overloads) {
    int open = line.indexOf(" (");
    int close = line.indexOf(") ", open);
    int dot = line.indexOf(" . ");
    boolean member = dot >= 0;
    var arguments = new ArrayList<CelType>();
    if (member) {
      arguments.add(type(line.substring(0, dot)));
    }
    var list = line.substring(open + 2, close);
    if (!list.isEmpty()) {
      for (var argument : list.split(", ")) {
        arguments.add(type(argument));
      }
    }
    var result = type(line.substring(close + 2));
    var name = line.substring(member ? dot + 3 : 0, open);
    var id = "kubernetes_" + line.replaceAll("[^A-Za-z0-9]+", "_");
    overloads
        .computeIfAbsent(name, ignored -> new ArrayList<>())
        .add(
            member
                ? CelOverloadDecl.newMemberOverload(id, result, arguments)
                : CelOverloadDecl.newGlobalOverload(id, result, arguments));
  }

  private static CelType type(String name) {
    int open = name.indexOf('(');
    if (open >= 0) {
      var inner = name.substring(open + 1, name.length() - 1);
      return switch (name.substring(0, open)) {
        case "list" -> ListType.create(type(inner));
        case "optional" -> OptionalType.create(type(inner));
        default -> {
          int comma = inner.indexOf(',');
          yield MapType.create(type(inner.substring(0, comma)), type(inner.substring(comma + 1)));
        }
      };
    }
    return switch (name) {
      case "string" -> SimpleType.STRING;
      case "int" -> SimpleType.INT;
      case "uint" -> SimpleType.UINT;
      case "double" -> SimpleType.DOUBLE;
      case "bool" -> SimpleType.BOOL;
      case "bytes" -> SimpleType.BYTES;
      case "duration" -> SimpleType.DURATION;
      case "timestamp" -> SimpleType.TIMESTAMP;
      case "dyn" -> SimpleType.DYN;
      case "A" -> TypeParamType.create("A");
      case "IP", "CIDR" -> OpaqueType.create("net." + name);
      case "Quantity", "Semver", "URL" -> OpaqueType.create("kubernetes." + name);
      case "Format" -> OpaqueType.create("kubernetes.NamedFormat");
      default -> OpaqueType.create("kubernetes.authorization." + name);
    };
  }
}
