import PredicateExpressions
import Testing

struct PredicateEvaluationTests {
    @Test(arguments: [
        ("1 < 2", true), ("1 = 1.0", true), ("1 == YES", true), ("\"1\" == 1", false), ("\"1\" != 1", true),
        ("2 BETWEEN {1, 3}", true), ("4 BETWEEN {1, 3}", false),
        ("9007199254740993 > 9007199254740992.0", true),
        ("CAST(\"0.1\", \"NSDecimalNumber\") == 0.1", true),
        ("\"a\" < \"b\"", true), ("\"Z\" < \"a\"", true), ("\"a\" == \"A\"", false), ("\"a\" ==[c] \"A\"", true),
        ("\"é\" ==[d] \"e\"", true), ("\"É\" ==[cd] \"e\"", true), ("\"É\" ==[d] \"e\"", false),
        ("\"e\\u0301\" == \"é\"", false), ("\"straße\" ==[c] \"STRASSE\"", true),
        ("\"ς\" ==[c] \"Σ\"", true), ("\"ø\" ==[d] \"o\"", false), ("\"a\" ==[n] \"A\"", false),
        ("\"abc\" BEGINSWITH \"ab\"", true), ("\"abc\" ENDSWITH \"bc\"", true), ("\"abc\" CONTAINS \"b\"", true),
        ("\"abc\" CONTAINS[c] \"B\"", true), ("\"abc\" BEGINSWITH[cd] \"Äb\"", true), ("\"b\" IN \"abc\"", true),
        ("\"abc\" CONTAINS \"\"", true), ("\"ab\" ENDSWITH \"abc\"", false), ("\"aab\" CONTAINS \"ab\"", true),
        ("\"abc\" LIKE \"a*\"", true), ("\"abc\" LIKE \"a?c\"", true), ("\"abc\" LIKE \"b\"", false),
        ("\"a*c\" LIKE \"a\\\\*c\"", true), ("\"abc\" LIKE \"a\\\\*c\"", false), ("\"ÄBC\" LIKE[cd] \"a*c\"", true),
        ("\"\" LIKE \"*\"", true), ("\"mississippi\" LIKE \"m*iss*i\"", true), ("\"日本\" LIKE \"?本\"", true),
        ("\"a1\" MATCHES \"[a-z]\\\\d\"", true), ("\"a12\" MATCHES \"[a-z]\\\\d\"", false),
        ("\"ab\" MATCHES \"a|ab\"", true), ("\"AB\" MATCHES[c] \"ab\"", true), ("\"äb\" MATCHES[d] \"ab\"", true),
        ("\"aXb\" MATCHES[c] \"a\\\\Sb\"", true), ("\"abab\" MATCHES \"(ab)\\\\1\"", true),
        ("\"été\" MATCHES \"\\\\p{L}+\"", true), ("\"foobar\" MATCHES \"foo(?=bar).*\"", true),
        ("1 IN {1, 2}", true), ("3 IN {1, 2}", false), ("\"A\" IN[c] {\"a\"}", true), ("{1, 2} CONTAINS 2", true),
        ("NULL IN {}", false), ("\"\" MATCHES \"\"", true), ("\"a\" MATCHES \"\"", false), ("NULL == NULL", true),
        ("nickname == nil", true), ("nickname != nil", false),
        ("name != nil", true), ("nickname == $nothing", true), ("name == $nothing", false), ("age != $nothing", true),
        ("ANY pets.weight > 2", true), ("ALL pets.weight > 0", false), ("NONE pets.name == \"Max\"", true),
        ("SOME pets.name ==[c] \"rex\"", true), ("NONE pets.weight > 2", false), ("ALL boss.pets.name == \"x\"", true),
        ("ANY boss.pets.name == \"x\"", false), ("ANY pets.weight == nil", true), ("\"Tom\" IN pets.name", true),
        ("pets.name CONTAINS \"Tom\"", true), ("pets.@count == 3 AND NOT age < 18", true),
        ("SUBQUERY(pets, $x, $x.name == name AND $x.weight > 1).@count > 0", false),
        ("boss IN department.people", true), ("boss.boss == nil OR FALSEPREDICATE", true),
        ("isAdult == YES", true), ("born < now()", false), ("born > CAST(0, \"NSDate\")", true),
        ("identifier == \"00010203-0405-0607-0809-0A0B0C0D0E0F\"", true), ("TRUEPREDICATE AND TRUEPREDICATE", true),
        ("{1, 2} == {1, 2}", true), ("home BEGINSWITH \"https:\"", true),
    ])
    func comparisonsAreDecided(_ text: String, _ expected: Bool) throws {
        #expect(try TestGraph.truth(text) == expected)
    }

    @Test(arguments: [
        "nickname == \"x\"", "nickname != \"x\"", "NOT nickname == \"x\"", "nickname < \"x\"",
        "nickname LIKE \"*\"", "nickname MATCHES \".*\"", "nickname CONTAINS \"\"", "nickname IN {\"a\"}",
        "\"a\" IN {\"b\", NULL}", "nickname == \"x\" OR FALSEPREDICATE", "nickname == \"x\" AND TRUEPREDICATE",
        "nickname BETWEEN {\"a\", \"b\"}", "name == boss.boss.name", "1 < NULL", "boss.boss.age + 1 > 0",
        "nickname BEGINSWITH[cd] \"a\"",
    ])
    func comparisonsWithNullAreUnknown(_ text: String) throws {
        #expect(try TestGraph.truth(text) == nil)
    }

    @Test(arguments: [
        ("nickname == \"x\" AND FALSEPREDICATE", false), ("nickname == \"x\" OR TRUEPREDICATE", true),
        ("\"z\" BETWEEN {nickname, \"b\"}", false), ("\"b\" IN {\"b\", NULL}", true),
    ])
    func theUnknownCanBeOutvoted(_ text: String, _ expected: Bool) throws {
        #expect(try TestGraph.truth(text) == expected)
    }
}
