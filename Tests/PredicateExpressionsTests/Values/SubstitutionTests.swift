import PredicateExpressions
import Testing

struct SubstitutionTests {
    @Test(arguments: [
        ("age > $seven AND name = $name", "age > 7 AND name == NULL"),
        (
            "SUBQUERY(pets, $seven, $seven.weight > $seven).@count > $seven",
            "SUBQUERY(pets, $seven, $seven.weight > $seven).@count > 7"
        ),
        ("TERNARY($name = 1, $seven, $other) IN {$seven}", "TERNARY(NULL == 1, 7, $other) IN {7}"),
        ("FUNCTION($manager, \"a:\", $seven) = abs:($seven)", "FUNCTION($manager, \"a:\", 7) == abs:(7)"),
    ])
    func variablesBecomeConstants(_ text: String, _ expected: String) throws {
        let predicate = try FormatPredicate(format: text).substituting(["seven": .integer(7), "name": .null])
        #expect(predicate.format == expected)
    }
}
