package dev.muster.cel.value;

/** An expression has no value; the message is the one that kube-apiserver shows. */
public class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EvaluationException(String message) {
    super(message, null, false, false);
  }

  public static EvaluationException noSuchOverload() {
    return new EvaluationException("no such overload");
  }

  public static EvaluationException noSuchKey(Object key) {
    return new EvaluationException("no such key: " + ValueText.plain(key));
  }
}
