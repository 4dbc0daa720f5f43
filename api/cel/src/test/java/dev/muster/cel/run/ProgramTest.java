package dev.muster.cel.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.muster.cel.Checked;
import dev.muster.cel.ExpressionChecker;
import dev.muster.cel.StructTypes;
import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.ValueText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTest {
  private static final Map<String, CelType> TYPES =
      Map.of(
          "self",
          SimpleType.DYN,
          "text",
          SimpleType.STRING,
          "count",
          SimpleType.INT,
          "numbers",
          ListType.create(SimpleType.INT),
          "names",
          ListType.create(SimpleType.STRING),
          "labels",
          MapType.create(SimpleType.STRING, SimpleType.STRING));

  private static final Map<String, Object> VALUES =
      Map.of(
          "self",
          CelMap.of(
              Map.of(
                  "name",
                  "web",
                  "size",
                  3L,
                  "ratio",
                  1.5,
                  "items",
                  CelList.of(List.of("a", "b", "c")))),
          "text",
          "hello world",
          "count",
          5L,
          "numbers",
          CelList.of(List.of(3L, 1L, 2L)),
          "names",
          CelList.of(List.of("ann", "bob")),
          "labels",
          CelMap.of(Map.of("app", "web", "tier", "front")));

  private static Program program(String expression) {
    var checked =
        ExpressionChecker.of(TYPES, new StructTypes(Map.of(), ""), ExpressionChecker.Extra.BINDINGS)
            .check(expression);
    if (checked instanceof Checked.Sound sound) {
      return Program.of(sound);
    }
    throw new AssertionError(checked);
  }

  private static Object evaluate(String expression) {
    return program(expression).evaluate(Variables.of(VALUES), CostBudget.standard());
  }

  private static long cost(String expression) {
    var budget = CostBudget.standard();
    program(expression).evaluate(Variables.of(VALUES), budget);
    return budget.take();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 + 2 * 3 - 4 / 2 == 5 && 7 % 4 == 3",
        "-(-3) == 3 && !false",
        "dyn(1) == 1.0 && dyn(1u) == 1 && 2 > 1.5 && 1u < 2",
        "dyn(1) == dyn(1.0) && dyn('1') != dyn(1)",
        "self.name == 'web' && self.items[1] == 'b' && self['size'] == 3",
        "has(self.name) && !has(self.other)",
        "self.?other.orValue('none') == 'none' && self.?name.orValue('none') == 'web'",
        "self.?name.or(optional.of('x')).value() == 'web' && !optional.none().hasValue()",
        "self.items.all(i, i.size() == 1) && self.items.exists(i, i == 'c')",
        "self.items.exists_one(i, i > 'b') && self.items.map(i, i + '!')[0] == 'a!'",
        "self.items.filter(i, i != 'b') == ['a', 'c'] && self.items.map(i, i > 'a', i).size() == 2",
        "labels.all(key, labels[key] != '') && labels.exists(key, value, value == 'front')",
        "labels.transformMap(key, value, value + key)['app'] == 'webapp'",
        "numbers.transformList(i, n, n * 10 + i) == [30, 11, 22]",
        "'app' in labels && !('x' in labels) && 2 in numbers && 'ann' in names",
        "count in [1, 5] && dyn(5.0) in [1, 5] && !(7 in [1])",
        "self.unknown == 1 || true",
        "!(self.unknown == 1 && false)",
        "self.items.exists(i, i == 'c' || int(i) == 1)",
        "numbers.sort() == [1, 2, 3] && names.sortBy(n, -n.size()).size() == 2",
        "numbers.sum() == 6 && numbers.max() == 3 && numbers.min() == 1 && !numbers.isSorted()",
        "numbers.indexOf(2) == 2 && names.lastIndexOf('x') == -1",
        "numbers.slice(1, 3) == [1, 2] && numbers.reverse() == [2, 1, 3]",
        "[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 1, 2].distinct() == [1, 2]",
        "lists.range(3) == [0, 1, 2]",
        "sets.contains(names, ['bob']) && !sets.equivalent([1], [1, 2])",
        "sets.intersects(numbers, [9, 1])",
        "text.startsWith('hell') && text.endsWith('ld') && text.contains('o w')",
        "text.matches('^h.*d$') && text.find('o.') == 'o ' && text.findAll('o').size() == 2",
        "text.findAll('o', 1) == ['o'] && 'abc'.find('x') == ''",
        "text.upperAscii() == 'HELLO WORLD' && ' x\\n'.trim() == 'x'",
        "text.replace('l', 'L', 2) == 'heLLo world' && 'aa'.replace('a', 'b') == 'bb'",
        "text.split(' ') == ['hello', 'world'] && ['a', 'b'].join('-') == 'a-b'",
        "text.substring(6) == 'world' && text.substring(0, 2) == 'he' && 'äöü'.charAt(1) == 'ö'",
        "text.indexOf('o') == 4 && text.lastIndexOf('o') == 7 && 'a🏳b'.size() == 3",
        "'%s is %d of %x, %s'.format(['a', 7, 255, [1, 'b']]) == 'a is 7 of ff, [1, \"b\"]'",
        "'%.2f|%b|%o|%s'.format([1.5, 5, 8, {'a': 1.0}]) == '1.50|101|10|{\"a\":1.000000}'",
        "strings.quote('a\"b') == '\"a\\\\\"b\"'",
        "int('12') == 12 && string(12) == '12' && double('1.5') == 1.5 && uint(3) == 3u",
        "bool('true') && string(b'abc') == 'abc' && bytes('a') == b'a' && string(1.5) == '1.5'",
        "string(1e20) == '1e+20' && string(100000.0) == '100000' && string(1234567.0) =="
            + " '1.234567e+06'",
        "type(1) == int && type('a') == string && type([]) == list && type(null) == null_type",
        "duration('90s') == duration('1m30s') && duration('1h').getMinutes() == 60",
        "timestamp('2020-02-03T04:05:06Z').getFullYear() == 2020",
        "timestamp('2020-02-03T04:05:06Z') - timestamp('2020-02-03T04:05:00Z') == duration('6s')",
        "timestamp('2020-02-03T04:05:06Z').getHours('+02:30') == 6",
        "string(duration('1500ms')) == '1.5s' && string(timestamp(0)) == '1970-01-01T00:00:00Z'",
        "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('2').add(1) == quantity('3')",
        "isQuantity('1Mi') && !isQuantity('x') && quantity('1k').asInteger() == 1000",
        "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('v1.2', true).minor() == 2",
        "isSemver('1.0.0-alpha.1') && !isSemver('1.0') &&"
            + " semver('1.0.0-a').isLessThan(semver('1.0.0'))",
        "ip('10.0.0.1').family() == 4 && ip('::1').isLoopback() && isIP('fe80::1')",
        "!isIP('010.0.0.1') && ip.isCanonical('::1') && !ip.isCanonical('0:0:0:0:0:0:0:1')",
        "url('mailto:jo').getScheme() == 'mailto' && isURL('*')",
        "ip('1.2.3.4') != dyn('1.2.3.4') && !(ip('1.2.3.4') in [dyn('1.2.3.4')])",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').prefixLength() == 8",
        "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16')) &&"
            + " string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8'",
        "url('https://a.b:80/c?d=e&d=f').getHostname() == 'a.b' &&"
            + " url('https://a.b:80/c').getPort() == '80'",
        "url('https://a/b?d=e&d=f').getQuery()['d'] == ['e', 'f'] && !isURL('x')",
        "format.dns1123Label().validate('Bad').hasValue() && !format.named('nope').hasValue()",
        "!format.labelValue().validate('good').hasValue()",
        "cel.bind(x, text + '!', x == 'hello world!' && x.size() == 12)",
        "count > 3 ? self.size == 3 : self.unknown",
        "{'a': 1, ?'b': optional.none()} == {'a': 1} && [?optional.of(1)] == [1]",
        "[1, 2] + [3] == [1, 2, 3] && 'a' + 'b' == 'ab' && b'a' + b'b' == b'ab'",
      })
  void isTrue(String expression) {
    assertThat(evaluate(expression)).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          self.unknown                             => no such key: unknown
          self.items[3]                            => index out of bounds: 3
          self.items[0].name                       => no such key: name
          1 / (count - 5)                          => division by zero
          1 % (count - 5)                          => modulus by zero
          9223372036854775807 + count              => integer overflow
          0u - uint(count)                         => unsigned integer overflow
          dyn(count) + dyn(text)                   => no such overload
          int(text)                                => type conversion error from 'string' to 'int'
          duration(text)                           => type conversion error from 'string' to 'google.protobuf.Duration'
          optional.none().value()                  => optional.none() dereference
          [].map(x, 1).max()                       => max called on empty list
          text.charAt(99)                          => index out of range: 99
          text.substring(3, 2)                     => invalid substring range. start: 3, end: 2
          numbers.slice(0, 9)                      => cannot slice(0, 9), list is length 3
          '%d'.format([dyn(text)])                 => error during formatting: decimal clause can only be used on integers, was given string
          ip('256.0.0.1')                          => IP Address "256.0.0.1" parse error during conversion from string: ParseAddr("256.0.0.1"): IPv4 field has value >255
          cidr('1.2.3.4/33')                       => network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.4/33"): prefix length out of range
          cidr('10.0.0.0/8').containsIP('x')       => no such overload
          ip('1.2.3.4') == dyn('1.2.3.4')          => no such overload
          url('https://a:b:c/')                    => URL parse error during conversion from string: parse "https://a:b:c/": invalid port ":b:c" after host
          ip(text)                                 => IP Address "hello world" parse error during conversion from string: ParseAddr("hello world"): unable to parse IP
          dyn(text) > dyn(count)                   => no such overload
          dyn(count).startsWith('a')               => no such overload: startsWith(int, string)
          lists.range(100000000)                   => operation cancelled: actual cost limit exceeded
          """)
  void failsWithTheWordsThatClientsKnow(String expression, String message) {
    assertThatThrownBy(() -> evaluate(expression))
        .isInstanceOf(EvaluationException.class)
        .hasMessage(message);
  }

  /** Each figure follows from kube-apiserver's rules; see Costs and Attribute. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          true                                     => 0
          count == 5                               => 2
          self.name == 'web'                       => 3
          has(self.name)                           => 1
          has(self.items)                          => 1
          text == 'hello world'                    => 3
          text.startsWith('hell')                  => 3
          text.contains('wor')                     => 3
          text.matches('^h.*d$')                   => 5
          count in [1, 2, 3]                       => 1
          count in numbers                         => 5
          numbers[count - 5]                       => 4
          [1, 2, 3].size() == 3                    => 2
          [count, 2].size() == 2                   => 13
          count > 3 ? text : 'a'                   => 2
          count > 3 || self.unknown                => 2
          text + text                              => 5
          numbers.all(n, n > 0)                    => 17
          duration('1h') == duration('60m')        => 1
          string(count) == '5'                     => 3
          quantity(text.substring(0, 0) + '1')     => 5
          """)
  void costsWhatItCostsUpstream(String expression, long expected) {
    assertThat(cost(expression)).isEqualTo(expected);
  }

  @Test
  void anEvaluationThatCostsTooMuchEndsAlsoInsideOfWhatForgivesErrors() {
    var program = program("lists.range(1000).all(a, lists.range(1000).all(b, a + b >= 0)) || true");
    assertThatThrownBy(() -> program.evaluate(Variables.of(VALUES), CostBudget.standard()))
        .isInstanceOf(CostBudget.ExceededException.class);
  }

  @Test
  void patternsTakeLinearTime() {
    var program = program("(text + 'a').matches('^(a+)+$')");
    var variables = Map.of("text", "a".repeat(5_000) + "b");
    assertThat(program.evaluate(Variables.of(variables), CostBudget.standard())).isEqualTo(false);
  }

  @Test
  void aListThatALoopGathersIsNotSharedWithItsBeginnings() {
    var grown = (CelList) evaluate("cel.bind(a, numbers + [4], [a + [5], a + [6]])");
    assertThat(ValueText.plain(grown)).isEqualTo("[[3, 1, 2, 4, 5], [3, 1, 2, 4, 6]]");
  }
}
