import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

@Suite struct ModelDerivationTests {
    private let moment = SwiftDataMoment(date: 1000, uuid: [UInt8](repeating: 7, count: 16))

    private func model(_ text: String, _ classes: String...) throws -> ManagedObjectModel {
        let source = try SourceFolder(text)
        return try ModelVersions(
            path: source.folder.path, swiftData: SwiftDataSelection(modelTypes: classes, moment: moment)
        ).current().model()
    }

    @Test
    func defaultsAreThoseOfTheDeclarations() throws {
        let model = try model(
            """
            @Model class A {
                var a = 1; var b: Int16 = -2; var c = "x\\ty"; var d = true; var e: Double = 3; var f: Decimal = 1.50
                var g: Date = Date(); var h = UUID(); var i: Date = Date.now; var j: Int = make(); var k: Int
                var l: Level = .high; var m = Side.left; var n: Data = Data(); var o: Float = 0.5
            }
            enum Level: Int, Codable { case low = 3, middle, high }
            enum Side: String, Codable { case left, right = "r" }
            """, "A")
        let attributes = Dictionary(
            uniqueKeysWithValues: try #require(model.entity(named: "A")).attributes.map { ($0.name, $0) })
        #expect(attributes["a"]?.defaultValue == .integer(1))
        #expect(attributes["b"]?.defaultValue == .integer(-2))
        #expect(attributes["c"]?.defaultValue == .string("x\ty"))
        #expect(attributes["d"]?.defaultValue == .boolean(true))
        #expect(attributes["e"]?.defaultValue == .real(3))
        #expect(attributes["f"]?.defaultValue == .decimal("1.50"))
        #expect(attributes["g"]?.defaultValue == .date(1000))
        #expect(attributes["h"]?.defaultValue == .uuid(moment.uuid))
        #expect(attributes["i"]?.defaultValue == .date(1000))
        #expect(attributes["j"]?.defaultValue == nil)
        #expect(attributes["k"]?.defaultValue == nil)
        #expect(attributes["n"]?.defaultValue == .binary([]))
        #expect(attributes["o"]?.defaultValue == .real(0.5))
        let elements = Dictionary(uniqueKeysWithValues: model.composites.map { ($0.name, $0.elements) })
        #expect(elements["A.l"]?.map(\.defaultValue) == [.integer(5)])
        #expect(elements["A.m"]?.map(\.defaultValue) == [.string("left")])
    }

    /// What builds and may not be what was meant is said, and the model is there.
    @Test(arguments: [
        ("@Relationship(.unique) var x: String = \"\"", "leads to no model"),
        ("@Attribute(.encrypt) var x: String = \"\"", "no option .encrypt"),
        ("var x: Kind = .a }\nenum Kind: Character, Codable { case a = \"a\"", "whether Character is a protocol"),
        ("var x: Kind = .a }\nenum Kind: Other, Codable { case a", "whether Other is a protocol"),
        ("var x: Kind = .a }\nenum Kind: Sendable, Codable { case a", nil),
        ("var x: Kind = .a }\nprotocol Other {}\nenum Kind: Other, Codable { case a", nil),
    ])
    func whatIsNotCertainIsARemark(property: String, remark: String?) throws {
        let source = try SourceFolder("@Model class A { \(property) }")
        let document = try ModelVersions(
            path: source.folder.path, swiftData: SwiftDataSelection(modelTypes: ["A"], moment: moment)
        ).current().document()
        #expect(document.warnings.count == (remark == nil ? 0 : 1), "\(document.warnings)")
        if let remark { #expect("\(document.warnings)".contains(remark), "\(document.warnings)") }
    }

    @Test(arguments: [
        ("[String] = []", AttributeValue.array([])), ("[String]? = []", .array([])),
        ("[String] = [\"a\", \"b, c\",]", .array([.string("a"), .string("b, c")])),
        ("[Data] = []", .array([])), ("[Data] = [Data()]", .array([.binary([])])),
        ("[String] = Array<String>()", .array([])), ("[String] = .init()", .array([])),
        ("[String] = names", nil), ("[String] = [name]", nil), ("[String]?", nil), ("[String]? = nil", nil),
        ("[Int] = []", .array([])), ("[Double] = [Double]()", .array([])), ("[Int] = [1]", nil),
    ])
    func arraysHaveTheirLiteralsAsDefaults(declaration: String, value: AttributeValue?) throws {
        let model = try model("@Model class A { var a: Int; var x: \(declaration) }", "A")
        let attribute = try #require(model.entity(named: "A")?.attributes.first { $0.name == "x" })
        #expect(attribute.defaultValue == value)
    }

    @Test func anArrayWithoutAnnotationHasItsTypeByItsValue() throws {
        let model = try model("@Model class A { var x = [String](); var y = [Data]() }", "A")
        let attributes = try #require(model.entity(named: "A")).attributes
        #expect(attributes.map(\.defaultValue) == [.array([]), .array([])])
        #expect(attributes.map(\.attributeValueClassName) == ["Array<String>", "Array<Data>"])
    }

    /// Without elements, structures in structures would be followed without an end in sight.
    @Test(.timeLimit(.minutes(1)))
    func aStructureWithoutElementsHasNoRule() throws {
        let chain = (0..<14).map { "struct S\($0): Codable { var a, b, c, d: S\($0 + 1)\n}\n" }.joined()
        let source = "@Model class A { var s: S0 }\n" + chain + "struct S14: Codable { static var x = 1 }"
        let error = try #require(throws: ModelError.self) { try model(source, "A") }
        #expect(error.reason.contains("S14, a structure without elements"), "\(error)")
    }

    /// Each uncertain element could be stored in several ways, and each way is a list of all elements.
    @Test(.long, .timeLimit(.minutes(1)))
    func manyUncertainElementsHaveOnlySomeAlternatives() throws {
        let names = (0..<2000).map { "e\($0): UInt" }.joined(separator: ", ")
        let source = try SourceFolder("@Model class A { var s: S }\nstruct S: Codable { var \(names) }")
        let sources = try #require(try source.sources(SwiftDataSelection(modelTypes: ["A"])))
        let questions = sources.derivedModel(of: try #require(sources.schemas.first)).questions
        #expect(questions.count == 1 && (50..<200).contains(questions[0].answers.count))
        let hash = try #require(VersionHash(bytes: [UInt8](repeating: 1, count: 32)))
        #expect(sources.fits(["A": hash]).first?.fits == false)
    }

    @Test
    func structuresAreFlattenedAndOptionalsHandedDown() throws {
        let model = try model(
            """
            @Model class A { var s: S?; var t: S; var c: Color.Resolved }
            struct S: Codable { var x: Int; var u: U; var names: [String]; var list: [U]; var e: E; static var z = 1 }
            struct U: Codable { var x: Double?; var d: [String: U] }
            enum E: String, Codable { case a }
            """, "A")
        func text(_ name: String) -> [String] {
            (model.composites.first { $0.name == name }?.elements ?? []).map {
                "\($0.name) \($0.type.name)\($0.isOptional ? "?" : "")"
            }
        }
        #expect(
            text("A.s") == [
                "x Integer 64?", "x Double?", "d Binary?", "names Transformable?", "list Binary?", "e String?",
            ])
        #expect(
            text("A.t") == ["x Integer 64", "x Double?", "d Binary", "names Transformable", "list Binary", "e String?"])
        #expect(text("A.c") == ["linearRed Float", "linearGreen Float", "linearBlue Float", "opacity Float"])
    }

    @Test(arguments: [
        "UInt16", "CGFloat", "[UUID]", "[Int]?", "Set<String>", "[String: String]", "[E]", "[[String]]", "[String?]",
        "Keyed", "Wrapped", "NotCodable", "Coded", "Listed",
    ])
    func whatIsNotEstablishedIsAQuestionWithAnswers(_ type: String) throws {
        let source = try SourceFolder(
            """
            @Model class A { var x: \(type); var y: Int }
            enum E: String, Codable { case a }
            struct Keyed: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a = "b" } }
            struct Wrapped: Codable { @Clamped var a: Int }
            struct NotCodable { var a: Int }
            struct Coded: Codable { var a: Int; func encode(to encoder: Encoder) throws { } }
            struct Listed: Codable { var a: [UUID] }
            """)
        let document = try source.document(["A"])
        #expect(document.hashDoubts["A"]?.count == 1)
        let sources = try #require(try source.sources(SwiftDataSelection(modelTypes: ["A"])))
        let question = try #require(sources.derivedModel(of: sources.schemas[0]).questions.first)
        #expect(question.property == "x")
        #expect(question.answers.count > 1)
    }

    @Test(arguments: [
        "CLLocation", "(Int, Int)", "any P", "Generic<Int>", "P", "Payload", "Twice", "Set<A>", "Sometimes",
    ])
    func whatNoRuleIsKnownForIsAnErrorWithItsPlace(_ type: String) throws {
        let source = try SourceFolder(
            """
            @Model class A {
                var ok: Int
                var x: \(type)
            }
            protocol P { }
            struct Generic<T>: Codable { var a: Int }
            enum Payload: Codable { case a(Int) }
            struct Twice: Codable { var a: Int }
            struct Twice: Codable { var a: String }
            #if SOMETHING
            struct Sometimes: Codable { var a: Int }
            #endif
            """)
        let error = try #require(throws: ModelError.self) { try source.document(["A"]) }
        #expect((error.entity, error.property, error.line, error.column) == ("A", "x", 3, 9))
        #expect(error.excerpt?.hasSuffix("\n        ^") == true)
    }

    @Test(arguments: [
        ("@Model class A<T> { var x: Int }", 1), ("@Model class A { @Clamped var x: Int }", 1),
        ("@Model class A { var x = make() }", 1), ("@Model class A { #Properties(3)\n var x: Int }", 1),
        ("@Model class A { @Attribute(.shiny) var x: Int }", 1),
        ("@Model class A { @Attribute(originalName: name) var x: Int }", 1),
        ("@Model class A { @Relationship(inverse: \\A.nothing) var x: A? }", 1),
        ("@Model class A { #if DEBUG\n var x: Int\n #endif\n }", 2),
        ("@Model class A { var b: B? }\nenum N { @Model class A { } }\n@Model class B { var n: N.A?; var b: A? }", 1),
        ("@Model class A { #Unique<A>(keys) \n var x: Int }", 1),
    ])
    func declarationsThatCannotBeReadAreErrors(_ text: String, _ line: Int) throws {
        let source = try SourceFolder(text)
        let error = try #require(throws: ModelError.self) { try source.document([text.contains("N.A") ? "B" : "A"]) }
        #expect(error.line == line)
        #expect(error.path?.hasSuffix("Models.swift") == true)
    }

    @Test
    func aConditionThatIsNamedIsDecided() throws {
        let source = try SourceFolder("@Model class A { var y: Int\n#if DEBUG\n var x: Int\n#endif\n}")
        for (isDefined, names) in [(true, ["y", "x"]), (false, ["y"])] {
            let selection = SwiftDataSelection(modelTypes: ["A"], conditions: ["DEBUG": isDefined])
            let model = try ModelVersions(path: source.folder.path, swiftData: selection).current().model()
            #expect(model.entities[0].attributes.map(\.name) == names)
        }
    }

    @Test
    func attributesAndMacrosSayWhatIsStored() throws {
        let model = try model(
            """
            @Model class A {
                #Index<A>([\\.a], [\\A.a, \\.b])
                @Attribute(.spotlight, .allowsCloudEncryption, originalName: "old") var a: String
                @Attribute(.ephemeral) var b: Int
                @Relationship(.unique, deleteRule: .deny, originalName: "was", inverse: \\B.a) var one: B?
                @Attribute(.transformable(by: "T")) var t: Anything
            }
            @Model class B { var a: A? }
            """, "A")
        let entity = try #require(model.entity(named: "A"))
        let attribute = try #require(entity.attributes.first { $0.name == "a" })
        #expect(
            attribute.isSpotlightIndexed && attribute.allowsCloudEncryption && attribute.renamingIdentifier == "old")
        #expect(entity.attributes.first { $0.name == "b" }?.isTransient == true)
        #expect(entity.attributes.first { $0.name == "t" }?.valueTransformerName == "T")
        #expect(entity.fetchIndexes.map(\.name) == ["SwiftDataIndexOnBinarya", "SwiftDataIndexOnBinaryab"])
        #expect(entity.uniquenessConstraints == [["one"]])
        let relationship = try #require(entity.relationships.first)
        #expect(relationship.deleteRule == .deny && relationship.renamingIdentifier == "was")
        #expect(relationship.inverseName == "a")
        #expect(model.entity(named: "B")?.relationships[0].inverseName == "one")
    }

    @Test
    func inversesMayBePathsOfOptionalValues() throws {
        let model = try SourceFolder(
            """
            @Model class A { @Relationship(deleteRule: .cascade, inverse: \\B.a?) var b: [B] }
            @Model class B { @Relationship(minimumModelCount: 1, maximumModelCount: 4) var a: A? }
            """
        ).document(["A"])
        #expect(model.model.entity(named: "A")?.relationships[0].inverseName == "a")
        // What is in doubt twice is said once.
        #expect(model.hashDoubts["B"]?.count { $0.contains("counts of models") } == 1)
        #expect(model.hashDoubts["B"]?.count == 1)
    }

    @Test
    func rawValuesAreOfTheTypeBehindTheColon() throws {
        let model = try SourceFolder(
            """
            enum Phase: String, Codable { case a, b = "bee"; typealias Number = Int16 }
            @Model class A {
                var a: Phase.RawValue
                var b: Inner.RawValue
                var c: Phase.Number
                var d = Phase.b.rawValue
                var e = Inner.y.rawValue
                enum Inner: Int16 { case x = 1, y }
            }
            """
        ).model("A")
        let attributes = model.entity(named: "A")?.attributes ?? []
        let types = attributes.map { "\($0.name) \($0.type)" }.sorted()
        #expect(types == ["a string", "b integer16", "c integer16", "d string", "e integer16"])
        let defaults = attributes.filter { $0.defaultValue != nil }.map { "\($0.name) \($0.defaultValue!)" }.sorted()
        #expect(defaults == [#"d string("bee")"#, "e integer(2)"])
    }

    @Test
    func onlyPlainPairsWithoutRivalsAreInferred() throws {
        let source = try SourceFolder(
            """
            @Model class A { var b: B?; var c: C?; var d: D?; var e: D? }
            @Model class B { var a: [A] }
            @Model class C { @Relationship(deleteRule: .cascade) var a: [A] }
            @Model class D { var a: A? }
            """)
        let document = try source.document(["A"])
        let inverses = document.model.entities.flatMap { entity in
            entity.relationships.map { "\(entity.name).\($0.name) \($0.inverseName ?? "-")" }
        }
        #expect(inverses.sorted() == ["A.b a", "A.c -", "A.d -", "A.e -", "B.a b", "C.a -", "D.a -"])
        #expect(Set(document.hashDoubts.keys) == ["A", "D"])
    }
}
