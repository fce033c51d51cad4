import Testing

@testable import SwiftDataModels

@Suite struct SwiftDeclarationScannerTests {
    private func properties(_ body: String) -> [SwiftProperty] {
        scanned("class A {\n\(body)\n}").types[0].properties
    }

    /// As in the middle of an edit: nothing is declared, and the members are not those of the type around it.
    @Test(arguments: ["class", "@Model final class ", "struct <T>: Codable"])
    func aTypeWithoutANameDeclaresNothing(head: String) {
        let types = scanned("class A { \(head) { var a = 1 }\n var b = 2 }\n\(head) { var c = 3 }").types
        #expect(types.map(\.name) == ["A"])
        #expect(types.flatMap(\.properties).map(\.name) == ["b"])
    }

    @Test
    func storedPropertiesAreToldFromComputedOnes() {
        let found = properties(
            """
            var a: Int
            let b = 1, c: String = "x"
            var d: Int { a }
            var e: Int = 1 { didSet { print("}") } }
            var f: Int { get { 1 } set { } }
            var g = [1, 2].map { $0 + 1 }
            var h: [String: Int] = [:]
            private(set) var i: Int?
            var j, k: Double
            static var l = 1
            var m: Set<String> = Set<String>()
            var n = Dictionary<String, Int>(), o = true
            var p: Int =
                1 +
                2
            var q = x
                .map { $0 }
            var r: (Int, String) -> Void
            lazy var s: Int = { 1 }()
            weak var t: A?
            var u: Int { @MainActor willSet { } }
            """)
        let stored = found.filter(\.isStored).map(\.name)
        #expect(stored == "abceghijklmnopqrstu".map { String($0) }.filter { !"df".contains($0) })
        #expect(found.first { $0.name == "j" }?.type == "Double")
        #expect(found.first { $0.name == "m" }?.initialValue == "Set<String>()")
        #expect(found.first { $0.name == "p" }?.initialValue?.contains("2") == true)
        #expect(found.first { $0.name == "l" }?.isStatic == true)
        #expect(found.first { $0.name == "e" }?.initialValue == "1")
    }

    @Test
    func bodiesAndWhatIsInThemAreSkipped() {
        let found = scanned(
            """
            import SwiftData
            func f<T: Sequence>(_ x: T = [1].map { "}" }) -> [T] where T: Equatable {
                class Inner { var x: Int }
                return []
            }
            struct A: B, C<D, E>, F & G where X == Y {
                init() { let x = 1 }
                subscript(i: Int) -> Int { 1 }
                func g()
                    -> Int { 1 }
                class func h() { }
                static func == (l: A, r: A) -> Bool { true }
                enum Inner: String, Codable { case a, b = "x,y", c; case d(Int, String) }
                var y: Int
            }
            """)
        #expect(found.types.map(\.qualifiedName) == ["A", "A.Inner"])
        #expect(found.types[0].inherited == ["B", "C<D, E>", "F & G"])
        #expect(found.types[0].properties.map(\.name) == ["y"])
        #expect(found.types[1].cases.map(\.name) == ["a", "b", "c", "d"])
        #expect(found.types[1].cases.map(\.rawValue) == [nil, "\"x,y\"", nil, nil])
        #expect(found.types[1].cases.map(\.hasPayload) == [false, false, false, true])
        #expect(found.globals.isEmpty)
    }

    @Test
    func attributesBelongToTheirDeclaration() {
        let found = scanned(
            """
            @available(iOS 17, *) @Model
            public final class A {
                @Attribute(.unique, originalName: "a)b") var b: Int
                @Relationship (deleteRule: .cascade) var c: [A]
                var d: Int
                #Unique<A>([\\.b], [\\.d])
            }
            """)
        #expect(found.types[0].isModel)
        #expect(found.types[0].properties[0].attributes[0].arguments == ".unique, originalName: \"a)b\"")
        #expect(found.types[0].properties[1].attribute("Relationship")?.arguments == "deleteRule: .cascade")
        #expect(found.types[0].properties[2].attributes.isEmpty)
        #expect(found.types[0].macros.map(\.name) == ["Unique"])
        #expect(found.types[0].macros[0].arguments == "[\\.b], [\\.d]")
    }

    @Test(arguments: [
        ("DEBUG", [:], "a?b?c"), ("DEBUG", ["DEBUG": true], "ac"), ("DEBUG", ["DEBUG": false], "bc"),
        ("canImport(SwiftData)", [:], "ac"), ("os(Linux)", [:], "bc"), ("!os(Linux) && swift(>=5.9)", [:], "ac"),
        ("os(iOS) || true", [:], "ac"), ("os(iOS)", ["os(iOS)": true], "ac"), ("(((false)))", [:], "bc"),
        ("A && B", ["A": false], "bc"),
    ])
    func conditionsAreDecidedWhereTheyCanBe(_ condition: String, _ defined: [String: Bool], _ expected: String) {
        let found = scanned(
            "class X {\n#if \(condition)\nvar a: Int\n#else\nvar b: Int\n#endif\nvar c: Int\n}", defined: defined)
        let text = found.types[0].properties.map { $0.name + ($0.isActive == .yes ? "" : "?") }.joined()
        #expect(text == expected)
    }

    @Test
    func theSecondOfSeveralBranchesExcludesTheFirst() {
        let found = scanned(
            "#if A\nclass X {}\n#elseif true\nclass Y {}\n#else\nclass Z {}\n#endif\nclass W {}", defined: ["A": true])
        #expect(found.types.map(\.name) == ["X", "W"])
        #expect(scanned("#if A\nclass X {}\n#elseif true\nclass Y {}\n#endif").types.map(\.isActive) != [.yes, .yes])
    }

    /// Swift takes conditions around attributes alone.
    @Test(arguments: [
        ("canImport(SwiftData)", "Model|Attribute|", true), ("os(Linux)", "||", true),
        ("DEBUG", "Model|Attribute|", false),
    ])
    func attributesMayStandBetweenConditions(condition: String, names: String, isActive: Bool) {
        let found = scanned(
            """
            #if \(condition)
            @Model
            #endif
            final class A {
                #if \(condition)
                @Attribute(.unique)
                #endif
                var a: Int
                var b: Int
            }
            class B {}
            """)
        let attributes = [found.types[0].attributes] + found.types[0].properties.map(\.attributes)
        #expect(attributes.map { $0.map(\.name).joined(separator: ",") }.joined(separator: "|") == names)
        let conditions = [found.types[0].isActive, found.types[0].properties[0].isActive]
        #expect(conditions.allSatisfy { $0 != .no && ($0 == .yes) == isActive })
        #expect(found.types[0].properties[1].isActive == .yes && found.types[1].isActive == .yes)
    }

    @Test
    func callsThatNameModelsAreNotedWhereverTheyAre() {
        let found = scanned(
            """
            struct A { func f() { let s = Schema([X.self, Y.self]); g(ModelContainer(for: X.self)) } }
            #Preview { V().modelContainer(for: X.self) }
            """)
        #expect(found.calls.map(\.function) == ["Schema", "ModelContainer", "modelContainer"])
        #expect(found.calls.map(\.arguments) == ["[X.self, Y.self]", "for: X.self", "for: X.self"])
        #expect(found.calls.map(\.isPreview) == [false, false, true])
        #expect(found.calls[0].scope == ["A"])
    }

    @Test
    func columnsAreCountedInCharacters() {
        let found = scanned("class A {\n  /* é */ var größe: Int\n}")
        #expect(found.types[0].properties[0].place == SwiftPlace(file: 0, line: 2, column: 15))
    }
}
