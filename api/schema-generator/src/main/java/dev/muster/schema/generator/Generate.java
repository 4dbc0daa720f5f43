package dev.muster.schema.generator;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Writes the schemas and their descriptions to a folder, and which build this is. */
public final class Generate {
  private Generate() {}

  public static void main(String[] arguments) throws IOException {
    var folder = Path.of(arguments[0]);
    var table = FieldTable.load();
    var structs = new Structs(table).all();
    Files.createDirectories(folder);
    Files.write(folder.resolve("schemas.bin"), SchemaFileWriter.of(structs, table));
    Files.write(folder.resolve("descriptions.bin"), descriptions(structs));
    var build = Files.createDirectories(folder.resolve("build"));
    Files.writeString(
        build.resolve("build.properties"),
        new BuildStamp(Path.of(arguments[1]))
            .properties(
                arguments[2], Objects.requireNonNullElse(System.getenv("SOURCE_DATE_EPOCH"), "")));
  }

  /** For each struct its name and description, then those of its fields. */
  private static byte[] descriptions(List<FoundTypes.Struct> structs) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeShort(structs.size());
    for (var struct : structs) {
      write(out, struct.name());
      write(out, struct.description());
      out.writeShort(struct.fields().size());
      for (var field : struct.fields()) {
        write(out, field.description());
      }
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }
}
