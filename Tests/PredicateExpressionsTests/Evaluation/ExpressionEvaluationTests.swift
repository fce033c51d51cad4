import KeyedArchives
import PredicateExpressions
import Testing

struct ExpressionEvaluationTests {
    @Test(arguments: [
        ("1 + 2 * 3", ExpressionValue.integer(7)),
        ("5 / 2", .integer(2)),
        ("-5 / 2", .integer(-2)),
        ("5.0 / 2", .real(2.5)),
        ("2 ** 3", .real(8)),
        ("modulus:by:(7, 3)", .integer(1)),
        ("modulus:by:(7.5, 2)", .real(1.5)),
        ("1 / 0", .null),
        ("1.5 / 0", .null),
        ("NULL + 1", .null),
        ("YES + 1", .integer(2)),
        ("6 & 3 | 8", .integer(10)),
        ("1 << 4 >> 2", .integer(4)),
        ("~0", .integer(-1)),
        ("\"a\" + \"b\"", .string("ab")),
        ("sqrt:(16)", .real(4)),
        ("sqrt:(-1)", .null),
        ("log:(100)", .real(2)),
        ("ln:(1)", .real(0)),
        ("ln:(0)", .null),
        ("exp:(0)", .real(1)),
        ("abs:(-3)", .integer(3)),
        ("ceiling:(1.2)", .real(2)),
        ("floor:(-1.2)", .real(-2)),
        ("trunc:(-1.7)", .real(-1)),
        ("raise:toPower:(2, 0.5)", .real(2.0.squareRoot())),
        ("now()", .date(1000)),
        ("now() + 60", .date(1060)),
        ("born - now()", .real(85_400)),
        (#"FUNCTION(CAST("NSDate", "Class"), "date")"#, .date(1000)),
        (#"FUNCTION(CAST("NSDate", "Class"), "dateWithTimeIntervalSince1970:", 978307260)"#, .date(60)),
        (#"FUNCTION(CLASS("NSDate"), "dateWithTimeIntervalSinceReferenceDate:", 1.5)"#, .date(1.5)),
        (#"FUNCTION(CAST("NSDate", "Class"), "dateWithTimeIntervalSinceNow:", -1)"#, .date(999)),
        (#"FUNCTION(CAST("NSURL", "Class"), "URLWithString:", "a:" + "b")"#, .url("a:b")),
        (#"FUNCTION(CAST("NSNull", "Class"), "null")"#, .null),
        (#"length:(FUNCTION(FUNCTION(CAST("NSUUID", "Class"), "UUID"), "UUIDString"))"#, .integer(36)),
        ("uppercase:(\"straße\")", .string("STRASSE")),
        ("lowercase:(\"ÄB\")", .string("äb")),
        ("canonical:(\"Ärger\")", .string("arger")),
        ("length:(\"abc\")", .integer(3)),
        ("tokenize:using:(\"a,b;;c\", \",;\")", .array([.string("a"), .string("b"), .string("c")])),
        ("{10, 20, 30}[1]", .integer(20)),
        ("{10, 20, 30}[LAST]", .integer(30)),
        ("{10, 20, 30}[SIZE]", .integer(3)),
        ("{10}[5]", .null),
        ("sum:({1, 2, 3})", .integer(6)),
        ("sum:({1, 2.5, NULL})", .real(3.5)),
        ("average:({1, 2, NULL})", .real(1.5)),
        ("count:({1, NULL})", .integer(2)),
        ("min:({3, 1, 2})", .integer(1)),
        ("max:({\"a\", \"b\"})", .string("b")),
        ("median:({1, 9, 2})", .real(2)),
        ("median:({1, 2, 3, 4})", .real(2.5)),
        ("mode:({1, 2, 2, 3, 3})", .array([.integer(2), .integer(3)])),
        ("stddev:({2, 4, 4, 4, 5, 5, 7, 9})", .real(2)),
        ("stddev:({1, 2, 3, 4, 4, 5, 9, 11})", .real(3.2185982973959333)),
        ("4 + 5 - 2**3", .real(1)),
        ("sum:({9223372036854775807, 1, -1})", .integer(.max)),
        ("sum:({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0})", .real(5.5)),
        ("sum:({1e300, 1.0, -1e300})", .real(1)),
        ("sum:({})", .integer(0)),
        ("average:({})", .null),
        ("TERNARY(1 < 2, \"yes\", \"no\")", .string("yes")),
        ("TERNARY(NULL < 2, \"yes\", \"no\")", .string("no")),
    ])
    func constantsAreComputed(_ text: String, _ expected: ExpressionValue) throws {
        #expect(try TestGraph.value(text) == expected)
    }

    @Test(arguments: [
        ("CAST(\"0.1\", \"NSDecimalNumber\") + CAST(\"0.2\", \"NSDecimalNumber\")", "0.3"),
        ("price * 1.2", "0.12"),
        ("CAST(\"1\", \"NSDecimalNumber\") / 3", "0.33333333333333333333333333333333333333"),
        ("CAST(\"99999999999999999999\", \"NSDecimalNumber\") * 10 + 1", "999999999999999999991"),
        ("CAST(\"2\", \"NSDecimalNumber\") / 3", "0.66666666666666666666666666666666666667"),
        (
            "CAST(\"1e20\", \"NSDecimalNumber\") - CAST(\"1e-10\", \"NSDecimalNumber\")",
            "99999999999999999999.9999999999"
        ),
        ("floor:(CAST(\"-1.5\", \"NSDecimalNumber\"))", "-2"),
        ("modulus:by:(CAST(\"5.5\", \"NSDecimalNumber\"), 2)", "1.5"),
        ("CAST(\"1.1\", \"NSDecimalNumber\") ** 2", "1.21"),
        // Mantissas of 128 bits, as archives may have them: the sum has a digit more.
        (
            "CAST(\"340282366920938463463374607431768211455\", \"NSDecimalNumber\") + CAST(\"340282366920938463463374607431768211455\", \"NSDecimalNumber\")",
            "680564733841876926926749214863536422910"
        ),
    ])
    func decimalsAreExact(_ text: String, _ expected: String) throws {
        guard case .decimal(let result) = try TestGraph.value(text) else {
            Issue.record("not a decimal")
            return
        }
        #expect(result.description == expected)
    }

    @Test(arguments: [
        ("name", ExpressionValue.string("Ann")),
        ("$source.name", .string("Ann")),
        ("SELF.boss.name", .string("Bob")),
        ("boss.boss.name", .null),
        ("name + \" \" + boss.name", .string("Ann Bob")),
        ("home.absoluteString", .string("https://example.org/ann?x=1")),
        ("home.path", .string("/ann")),
        (#"CAST("file:///tmp/caf%C3%A9%20%zz/?q#f", "NSURL").path"#, .string("/tmp/café %zz")),
        (#"CAST("file:///tmp/a%2Fb.tar.gz", "NSURL").lastPathComponent"#, .string("b.tar.gz")),
        (#"CAST("https://x.y/a.png?b=c.d", "NSURL").pathExtension"#, .string("png")),
        ("name.length", .integer(3)),
        ("name.uppercaseString", .string("ANN")),
        ("born.timeIntervalSince1970", .real(978_393_600)),
        ("pets.@count", .integer(3)),
        ("pets.name", .array([.string("Rex"), .string("Tom"), .string("Rex")])),
        ("pets.@sum.weight", .real(3)),
        ("pets.@avg.weight", .real(1.5)),
        ("pets.@max.weight", .real(2.5)),
        ("pets.@min.name", .string("Rex")),
        ("pets.@distinctUnionOfObjects.name", .array([.string("Rex"), .string("Tom")])),
        ("pets.@unionOfObjects.name.@count", .integer(3)),
        ("department.people.pets.name", .array([.string("Rex"), .string("Tom"), .string("Rex")])),
        ("department.people.@distinctUnionOfSets.pets.@count", .integer(3)),
        ("boss.boss.pets.@count", .integer(0)),
        ("sum:(pets.weight)", .real(3)),
        ("SUBQUERY(pets, $p, $p.name == \"Rex\").@count", .integer(2)),
        (
            "SUBQUERY(department.people, $p, SUBQUERY($p.pets, $q, $q.weight < $p.age).@count > 0).name",
            .array([.string("Ann")])
        ),
        ("$seven * 2", .integer(14)),
        ("FETCH(NULL, $manager.sourceContext, YES)", .integer(2)),
        ("FETCH(NULL, $manager.sourceContext, NO).name", .array([.string("Ann"), .string("Bob")])),
        (
            "FUNCTION($manager, \"find:in:\", \"x\", age)",
            .array([.string("find:in:"), .host(1), .string("x"), .integer(30)])
        ),
        (
            "FUNCTION(CAST(\"Greeter\", \"Class\"), \"greet:\", name)",
            .array([.string("greet:"), .null, .string("Ann")])
        ),
        ("FUNCTION($source, \"valueForKeyPath:\", \"boss.age\")", .integer(50)),
        ("$source.valueForKey:(\"age\")", .integer(30)),
        ("{1, 2, 3} INTERSECT {2, 3, 4}", .set([.integer(2), .integer(3)])),
        ("{1, 2} UNION {2, 3}", .set([.integer(1), .integer(2), .integer(3)])),
        ("{1, 2} MINUS {2}", .set([.integer(1)])),
        ("CAST(age, \"NSString\") + \"!\"", .string("30!")),
        ("CAST(\" 12 \", \"NSNumber\")", .integer(12)),
        ("CAST(born, \"NSNumber\")", .real(86_400)),
        ("CAST(born, \"NSString\")", .string("2001-01-02 00:00:00 +0000")),
        ("CAST(\"2001-01-02T01:00:00+01:00\", \"NSDate\") - born", .real(0)),
        ("CAST(age, \"NSDate\")", .date(30)),
        (
            "CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\" + \"\", \"NSUUID\").UUIDString",
            .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        ),
        ("CAST(NULL, \"NSNumber\")", .null),
    ])
    func namesAreResolved(_ text: String, _ expected: ExpressionValue) throws {
        #expect(try TestGraph.value(text) == expected)
    }

    /// As the documentation of `NSString` has it.
    @Test(arguments: [
        ("\"1e3\".longLongValue", ExpressionValue.integer(1)), ("\" -12.9x\".longLongValue", .integer(-12)),
        ("\"+7\".integerValue", .integer(7)), ("\"x7\".longLongValue", .integer(0)),
        ("\"\".longLongValue", .integer(0)),
        ("\"99999999999999999999\".longLongValue", .integer(.max)),
        ("\"-99999999999999999999\".longLongValue", .integer(.min)),
        ("\"-9223372036854775808\".longLongValue", .integer(.min)),
        ("\"99999999999\".intValue", .integer(2_147_483_647)), ("\"-99999999999\".intValue", .integer(-2_147_483_648)),
        ("\"1e3\".doubleValue", .real(1000)), ("\"YES\".boolValue", .boolean(true)),
        ("\"  -07\".boolValue", .boolean(true)),
        ("\"no\".boolValue", .boolean(false)), ("\"000\".boolValue", .boolean(false)),
        ("\"true\".boolValue", .boolean(true)),
    ])
    func textsBeginWithNumbers(_ text: String, _ expected: ExpressionValue) throws {
        #expect(try TestGraph.value(text) == expected)
    }

    /// The longest beginning that Swift reads as a number, whatever is made of it digit by digit.
    @Test func textsBeginWithTheNumbersThatSwiftReads() throws {
        var names = RecordNames(["text"])
        let program = try Expression(format: "text.doubleValue").compile(resolving: &names)
        let whole = try Expression(format: "CAST(text, \"NSNumber\")").compile(resolving: &names)
        let numeric = Set("0123456789+-.eE")
        for _ in 0..<5000 {
            let digits = (0..<Int.random(in: 0..<9)).map { _ in "01259".randomElement() ?? "0" }
            let others = (0..<Int.random(in: 0..<30)).map { _ in "00123456789999..+-eE x".randomElement() ?? "x" }
            let text = (Bool.random() ? " " : "") + (Bool.random() ? "-" : "") + String(digits + others)
            let candidate = text.drop { $0 == " " }.prefix { numeric.contains($0) }
            let expected = candidate.indices.reversed().lazy
                .compactMap { Double(String(candidate[...$0])) }.first { $0.isFinite }
            #expect(try program.evaluate(in: RecordContext([.string(text)])) == .real(expected ?? 0), "\(text)")
            let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            if trimmed.count == candidate.count, let expected, Double(String(candidate)) == expected {
                let value = try whole.evaluate(in: RecordContext([.string(text)]))
                switch value {
                case .integer(let number): #expect(Double(number) == expected, "\(text)")
                default: #expect(value == .real(expected), "\(text)")
                }
            }
        }
    }

    @Test(arguments: [
        ("FUNCTION(name, \"stringByAppendingString:\", \"!\")", ExpressionValue.string("Ann!")),
        ("FUNCTION(\"a-b-c\", \"componentsSeparatedByString:\", \"-\")[LAST]", .string("c")),
        ("FUNCTION(\"a--b\", \"componentsSeparatedByString:\", \"-\").@count", .integer(3)),
        ("FUNCTION(FUNCTION(\"a, b\", \"componentsSeparatedByString:\", \", \"), \"lastObject\")", .string("b")),
        ("FUNCTION(pets.name, \"componentsJoinedByString:\", \"+\")", .string("Rex+Tom+Rex")),
        ("FUNCTION(pets, \"count\")", .integer(3)),
        ("FUNCTION(pets.name, \"firstObject\")", .string("Rex")),
        ("FUNCTION(pets.name, \"containsObject:\", \"Tom\")", .boolean(true)),
        ("FUNCTION(pets.name, \"objectAtIndex:\", 1)", .string("Tom")),
        (
            "FUNCTION(\"https://a\", \"stringByReplacingOccurrencesOfString:withString:\", \"https\", \"http\")",
            .string("http://a")
        ),
        ("FUNCTION(\"Größe\", \"substringFromIndex:\", 2)", .string("öße")),
        ("FUNCTION(\"Größe\", \"substringToIndex:\", 2)", .string("Gr")),
        ("FUNCTION(name, \"hasPrefix:\", \"An\")", .boolean(true)),
        ("FUNCTION(name, \"hasSuffix:\", \"An\")", .boolean(false)),
        ("FUNCTION(name, \"containsString:\", \"nn\")", .boolean(true)),
        ("FUNCTION(name, \"isEqualToString:\", \"Ann\")", .boolean(true)),
        ("FUNCTION(born, \"dateByAddingTimeInterval:\", 60)", .date(86_460)),
        ("FUNCTION(born, \"timeIntervalSinceDate:\", now())", .real(85_400)),
        ("FUNCTION(age, \"stringValue\")", .string("30")),
        ("FUNCTION(boss.boss.name, \"stringByAppendingString:\", \"!\")", .null),
    ])
    func valuesHaveTheMethodsOfTheirClasses(_ text: String, _ expected: ExpressionValue) throws {
        #expect(try TestGraph.value(text) == expected)
    }

    @Test(arguments: [
        ("FUNCTION(age, \"hasPrefix:\", \"3\")", "has no method hasPrefix:"),
        ("FUNCTION(name, \"substringFromIndex:\", 9)", "beyond the string's end"),
    ])
    func methodsThatDoNotFitAreErrors(_ text: String, _ message: String) throws {
        let error = #expect(throws: EvaluationError.self) { try TestGraph.value(text) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
    }

    @Test func randomNumbersStayWithinTheirLimits() throws {
        for _ in 0..<100 {
            #expect(try TestGraph.truth("random() BETWEEN {0, 1} AND random:(3) IN {0, 1, 2}") == true)
        }
    }

    @Test func columnsOfARecordAreSlots() throws {
        var names = RecordNames(["first", "last.name", "age"], variables: ["source"])
        let program = try FormatExpression(format: "first + $source.last.name").compile(resolving: &names)
        #expect(names.used == [0, 1])
        var record = RecordContext()
        for number in 0..<3 {
            record.values = [.string("a\(number)"), .string("-b")]
            #expect(try program.evaluate(in: record) == .string("a\(number)-b"))
        }
        #expect(try program.evaluate(in: RecordContext([.string("a")])) == .null)
    }

    /// The examples that `NSString`'s documentation gives.
    @Test(arguments: [
        ("/tmp/scratch.tiff", "scratch.tiff", "tiff", "/tmp", "/tmp/scratch"),
        ("/tmp/scratch", "scratch", "", "/tmp", "/tmp/scratch"), ("/tmp/", "tmp", "", "/", "/tmp"),
        ("scratch///", "scratch", "", "", "scratch"), ("/", "/", "", "/", "/"), ("", "", "", "", ""),
        ("/tmp/scratch..tiff", "scratch..tiff", "tiff", "/tmp", "/tmp/scratch."),
        (".scratch.tiff", ".scratch.tiff", "tiff", "", ".scratch"), (".tiff", ".tiff", "", "", ".tiff"),
        ("/tmp//lock/", "lock", "", "/tmp", "/tmp//lock"),
    ])
    func partsOfPaths(path: String, last: String, type: String, folder: String, stem: String) throws {
        for (key, part) in [
            ("lastPathComponent", last), ("pathExtension", type), ("stringByDeletingLastPathComponent", folder),
            ("stringByDeletingPathExtension", stem),
        ] {
            for text in ["$path.\(key)", "FUNCTION($path, \"\(key)\")"] {
                let expression = try FormatExpression(format: text).substituting(["path": .string(path)])
                var names = ValueNames()
                #expect(
                    try expression.compile(resolving: &names).evaluate(in: RecordContext()) == .string(part), "\(text)")
            }
        }
    }
}
