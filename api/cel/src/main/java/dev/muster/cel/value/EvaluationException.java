package dev.muster.cel.value;

/** The evaluation of an expression failed; the message is kube-apiserver's. */
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
