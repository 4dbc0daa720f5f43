import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Run by the build, on the jar that is published for tests: writes for each lambda of our own
 * classes the class that a new JVM would make of it at its first use. To make them is a sixth of
 * what Java does while a cluster starts. Lambdas that can be serialized, and those of libraries,
 * stay as they are.
 */
final class LambdaClasses {
  private static final String OURS = "dev/muster/";
  private static final String LIBRARIES = "dev/muster/shaded/";
  private static final String FACTORY = "of";
  private static final String INSTANCE = "INSTANCE";

  private final Map<String, byte[]> files;
  private final ClassFile classes;
  private final Map<String, byte[]> made = new TreeMap<>();

  /** By the class that speaks for a nest, which must name all who belong to it. */
  private final Map<ClassDesc, List<ClassDesc>> nests = new HashMap<>();

  private LambdaClasses(Map<String, byte[]> files) {
    this.files = files;
    var inJar =
        ClassHierarchyResolver.ofResourceParsing(
            type -> {
              var bytes = files.get(file(type));
              return bytes == null ? null : new ByteArrayInputStream(bytes);
            });
    this.classes =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                inJar.orElse(ClassHierarchyResolver.defaultResolver()).cached()));
  }

  /** The jar is replaced by one that holds more classes. */
  public static void main(String[] arguments) throws IOException {
    var jar = Path.of(arguments[0]);
    var files = new TreeMap<String, byte[]>();
    try (var zip = new ZipFile(jar.toFile())) {
      for (var entry : zip.stream().filter(each -> !each.isDirectory()).toList()) {
        try (var content = zip.getInputStream(entry)) {
          files.put(entry.getName(), content.readAllBytes());
        }
      }
    }
    var lambdas = new LambdaClasses(files);
    lambdas.writeClasses();
    lambdas.extendNests();
    System.out.printf("%d lambdas are classes now%n", lambdas.made.size());
    files.putAll(lambdas.made);
    var replacement = jar.resolveSibling(jar.getFileName() + ".new");
    try (var out = new ZipOutputStream(Files.newOutputStream(replacement))) {
      // What reads a jar as a stream looks for the manifest at its beginning.
      write(out, "META-INF/MANIFEST.MF", files.remove("META-INF/MANIFEST.MF"));
      for (var file : files.entrySet()) {
        write(out, file.getKey(), file.getValue());
      }
    }
    Files.move(replacement, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(ZipOutputStream out, String name, byte[] content) throws IOException {
    if (content == null) {
      return;
    }
    var entry = new ZipEntry(name);
    // Always the same jar of the same classes.
    entry.setTime(315_532_800_000L);
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }

  private static String file(ClassDesc type) {
    var descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1) + ".class";
  }

  private void writeClasses() {
    for (var file : files.entrySet()) {
      var name = file.getKey();
      if (name.startsWith(OURS) && !name.startsWith(LIBRARIES) && name.endsWith(".class")) {
        file.setValue(withoutLambdas(file.getValue()));
      }
    }
  }

  private byte[] withoutLambdas(byte[] bytes) {
    var model = classes.parse(bytes);
    var owner = model.thisClass().asSymbol();
    var host =
        model
            .findAttribute(Attributes.nestHost())
            .map(NestHostAttribute::nestHost)
            .map(ClassEntry::asSymbol)
            .orElse(owner);
    var lambdas = new ArrayList<ClassDesc>();
    var changed =
        classes.transformClass(
            model,
            ClassTransform.transformingMethodBodies(
                LambdaClasses::hasLambdas,
                (code, element) -> replace(code, element, owner, host, lambdas)));
    if (lambdas.isEmpty()) {
      return bytes;
    }
    nests.computeIfAbsent(host, _ -> new ArrayList<>()).addAll(lambdas);
    return changed;
  }

  private static boolean hasLambdas(MethodModel method) {
    return method.code().stream()
        .flatMap(CodeModel::elementStream)
        .anyMatch(element -> element instanceof InvokeDynamicInstruction call && isLambda(call));
  }

  private void replace(
      CodeBuilder code,
      CodeElement element,
      ClassDesc owner,
      ClassDesc host,
      List<ClassDesc> lambdas) {
    if (element instanceof RuntimeVisibleTypeAnnotationsAttribute
        || element instanceof RuntimeInvisibleTypeAnnotationsAttribute) {
      // They would be copied with places in the old code, at which tools such as JaCoCo fail.
      return;
    }
    if (!(element instanceof InvokeDynamicInstruction call) || !isLambda(call)) {
      code.with(element);
      return;
    }
    var type = owner.nested("$L" + lambdas.size());
    lambdas.add(type);
    var captured = call.typeSymbol();
    made.put(file(type), lambda(type, host, call));
    if (captured.parameterCount() == 0) {
      code.getstatic(type, INSTANCE, captured.returnType());
    } else {
      code.invokestatic(type, FACTORY, captured);
    }
  }

  private static boolean isLambda(InvokeDynamicInstruction call) {
    var method = call.bootstrapMethod();
    return method.owner().descriptorString().equals("Ljava/lang/invoke/LambdaMetafactory;")
        && method.methodName().equals("metafactory");
  }

  private byte[] lambda(ClassDesc type, ClassDesc host, InvokeDynamicInstruction call) {
    var captured = call.typeSymbol();
    var erased = (MethodTypeDesc) call.bootstrapArgs().get(0);
    var target = (DirectMethodHandleDesc) call.bootstrapArgs().get(1);
    return classes.build(
        type,
        built -> {
          built.withFlags(AccessFlag.FINAL, AccessFlag.SUPER, AccessFlag.SYNTHETIC);
          built.withInterfaceSymbols(captured.returnType());
          built.with(NestHostAttribute.of(host));
          for (int i = 0; i < captured.parameterCount(); i++) {
            built.withField("c" + i, captured.parameterType(i), ClassFile.ACC_FINAL);
          }
          constructor(built, type, captured);
          if (captured.parameterCount() == 0) {
            single(built, type, captured.returnType());
          } else {
            factory(built, type, captured);
          }
          built.withMethodBody(
              call.name().stringValue(),
              erased,
              ClassFile.ACC_PUBLIC,
              code -> new Body(code, type, captured, erased, target).write());
        });
  }

  private static void constructor(ClassBuilder built, ClassDesc type, MethodTypeDesc captured) {
    built.withMethodBody(
        INIT_NAME,
        captured.changeReturnType(CD_void),
        0,
        code -> {
          code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void);
          for (int i = 0; i < captured.parameterCount(); i++) {
            var each = captured.parameterType(i);
            code.aload(0).loadLocal(TypeKind.from(each), code.parameterSlot(i));
            code.putfield(type, "c" + i, each);
          }
          code.return_();
        });
  }

  private static void single(ClassBuilder built, ClassDesc type, ClassDesc face) {
    built.withField(INSTANCE, face, ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
    built.withMethodBody(
        "<clinit>",
        MTD_void,
        ClassFile.ACC_STATIC,
        code ->
            code.new_(type)
                .dup()
                .invokespecial(type, INIT_NAME, MTD_void)
                .putstatic(type, INSTANCE, face)
                .return_());
  }

  private static void factory(ClassBuilder built, ClassDesc type, MethodTypeDesc captured) {
    built.withMethodBody(
        FACTORY,
        captured,
        ClassFile.ACC_STATIC,
        code -> {
          code.new_(type).dup();
          for (int i = 0; i < captured.parameterCount(); i++) {
            code.loadLocal(TypeKind.from(captured.parameterType(i)), code.parameterSlot(i));
          }
          code.invokespecial(type, INIT_NAME, captured.changeReturnType(CD_void)).areturn();
        });
  }

  /** What the lambda does: calls a method with what it has captured and what it is given. */
  private record Body(
      CodeBuilder code,
      ClassDesc type,
      MethodTypeDesc captured,
      MethodTypeDesc erased,
      DirectMethodHandleDesc target) {

    void write() {
      boolean makes = target.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
      if (makes) {
        code.new_(target.owner()).dup();
      }
      // With the receiver of a method that is not static; a constructor's returns what it makes.
      var called = target.invocationType();
      int held = captured.parameterCount();
      for (int i = 0; i < held; i++) {
        code.aload(0).getfield(type, "c" + i, captured.parameterType(i));
      }
      for (int i = held; i < called.parameterCount(); i++) {
        var given = erased.parameterType(i - held);
        code.loadLocal(TypeKind.from(given), code.parameterSlot(i - held));
        convert(given, called.parameterType(i));
      }
      invoke();
      var wanted = erased.returnType();
      var answer = called.returnType();
      if (wanted.equals(CD_void)) {
        if (!answer.equals(CD_void)) {
          drop(answer);
        }
        code.return_();
      } else {
        convert(answer, wanted);
        code.return_(TypeKind.from(wanted));
      }
    }

    private void invoke() {
      var owner = target.owner();
      var name = target.methodName();
      var lookup = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
      switch (target.kind()) {
        case CONSTRUCTOR -> code.invokespecial(owner, INIT_NAME, lookup);
        case STATIC -> code.invokestatic(owner, name, lookup);
        case INTERFACE_STATIC -> code.invokestatic(owner, name, lookup, true);
        case VIRTUAL, SPECIAL -> code.invokevirtual(owner, name, lookup);
        case INTERFACE_VIRTUAL, INTERFACE_SPECIAL -> code.invokeinterface(owner, name, lookup);
        default -> throw new IllegalStateException("not the method of a lambda: " + target);
      }
    }

    private void drop(ClassDesc answer) {
      if (TypeKind.from(answer).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }

    private void convert(ClassDesc from, ClassDesc to) {
      if (from.equals(to)) {
        return;
      }
      if (from.isPrimitive() && to.isPrimitive()) {
        code.conversion(TypeKind.from(from), TypeKind.from(to));
      } else if (from.isPrimitive()) {
        var box = box(from);
        code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, from));
      } else if (to.isPrimitive()) {
        var unboxed = IntStream.range(0, BOXES.length).filter(i -> BOXES[i].equals(from)).findAny();
        var primitive = unboxed.isPresent() ? PRIMITIVES[unboxed.getAsInt()] : to;
        var box = box(primitive);
        code.checkcast(box);
        code.invokevirtual(box, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
        convert(primitive, to);
      } else if (!to.equals(CD_Object)) {
        code.checkcast(to);
      }
    }

    private static final ClassDesc[] PRIMITIVES =
        "ZBSCIJFD"
            .chars()
            .mapToObj(c -> ClassDesc.ofDescriptor("" + (char) c))
            .toArray(ClassDesc[]::new);
    private static final ClassDesc[] BOXES =
        List.of("Boolean", "Byte", "Short", "Character", "Integer", "Long", "Float", "Double")
            .stream()
            .map(name -> ClassDesc.of("java.lang", name))
            .toArray(ClassDesc[]::new);

    private static ClassDesc box(ClassDesc primitive) {
      return BOXES["ZBSCIJFD".indexOf(primitive.descriptorString())];
    }
  }

  private void extendNests() {
    nests.forEach(
        (host, members) ->
            files.compute(file(host), (_, bytes) -> extended(classes.parse(bytes), members)));
  }

  private byte[] extended(ClassModel host, List<ClassDesc> members) {
    var all = new ArrayList<ClassDesc>();
    host.findAttribute(Attributes.nestMembers())
        .ifPresent(known -> known.nestMembers().forEach(each -> all.add(each.asSymbol())));
    all.addAll(members);
    return classes.transformClass(
        host,
        ClassTransform.dropping(NestMembersAttribute.class::isInstance)
            .andThen(
                ClassTransform.endHandler(
                    built -> built.with(NestMembersAttribute.ofSymbols(all)))));
  }
}
