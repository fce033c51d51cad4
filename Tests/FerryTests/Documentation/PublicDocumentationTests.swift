import Foundation
import Testing

/// Every public declaration says what it is, and every public function that throws what it throws and when.
@Suite struct PublicDocumentationTests {
    /// How many faults a library may have that is not complete. The numbers may only fall.
    private static let allowedFaults: [String: Int] = [:]

    private static let sources = Documentation.folder + "/Sources"

    /// The folders of Sources that have Swift files.
    private static let libraries = ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []).sorted()
        .filter { !files(of: $0).isEmpty }

    private static func files(of library: String) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: sources + "/" + library)) ?? [])
            .filter { $0.hasSuffix(".swift") }.sorted().map { library + "/" + $0 }
    }

    private static func declarations(in file: String) throws -> [PublicDeclaration] {
        PublicDeclarationFinder(try String(contentsOfFile: sources + "/" + file, encoding: .utf8)).declarations
    }

    @Test(arguments: libraries)
    func everyPublicDeclarationSaysWhatItIs(library: String) throws {
        var faults: [String] = []
        for file in Self.files(of: library) {
            for declaration in try Self.declarations(in: file) {
                faults += declaration.faults.map {
                    "Sources/\(file):\(declaration.line): \($0.rawValue): \(declaration.text)"
                }
            }
        }
        let allowed = Self.allowedFaults[library] ?? 0
        #expect(faults.count <= allowed, "\(faults.joined(separator: "\n"))")
        #expect(faults.count >= allowed, "\(library) has \(faults.count) faults: allow no more of them")
    }

    @Test func allLibrariesAreFound() {
        #expect(Self.libraries.count > 30)
        #expect(Set(Self.allowedFaults.keys).subtracting(Self.libraries) == [])
    }

    /// Sources, and what the comments of their public declarations lack.
    private static let cases: [(source: String, faults: [PublicDeclaration.Fault])] = [
        ("public struct A {}", [.noComment]),
        ("/// A.\n@frozen\npublic struct A {}", []),
        ("/// A.\n\npublic struct A {}", [.noComment]),
        ("struct A { public var b = 0 }", []),
        ("/// A.\npublic struct A {\n    var b = 0\n    public private(set) var c: Int\n}", [.noComment]),
        ("/// A.\npublic enum A {\n    /// B.\n    case b\n    case open, c(d: Int)\n}", [.noComment]),
        (
            "/// A.\npublic protocol A {\n    func b() throws\n    /// C.\n    var c: Int { get throws }\n}",
            [.noComment, .noErrors, .noErrors]
        ),
        ("extension A {\n    func b() {}\n    public func c() {}\n}", [.noComment]),
        ("public extension A {\n    func b() {}\n    private func c() {}\n}", [.noComment]),
        ("/// A.\npublic func a() throws(B) -> C { \"}\" }\n/// D.\npublic let d = 0", [.noErrors]),
        ("/// A.\n/// - Throws: `B` if it is late.\npublic func a() throws {}", []),
        ("/// A.\npublic func a(_ b: () throws -> Void) rethrows -> () throws -> Void {}", []),
        ("/// - Parameter b: a number.\npublic func a(_ b: Int) {}", [.noSentence]),
        (
            "/// A.\n/// - Parameter b: a number.\npublic func a(with b: Int, _ c: [Int: Int] = [:]) {}",
            [.notAllParameters]
        ),
        (
            "/// A.\n/// - Parameters:\n///   - b: one.\n///   - c: two.\n"
                + "public init<D>(b: Dictionary<D, Int>, c: Int = 1 << 4) {}", []
        ),
        ("/// A.\n/// - Parameter c: a number.\npublic func a(c b: Int) {}", [.notAllParameters]),
        ("/// A.\npublic class A {\n    public override init() {}\n    public class func b() {}\n}", [.noComment]),
        ("extension A: Equatable {\n    public static func == (left: A, right: A) -> Bool { true }\n}", []),
    ]

    @Test(arguments: cases)
    func aCommentLacksSomething(source: String, faults: [PublicDeclaration.Fault]) {
        #expect(PublicDeclarationFinder(source).declarations.flatMap(\.faults) == faults)
    }

    @Test func linesAreThoseOfTheDeclarations() {
        let source = """
            /// A.
            public struct A {
                #if os(Linux)
                @inlinable public var b: Int { "\\(c { 1 })".count }
                #endif
                /// D.
                @discardableResult
                public func d() -> Int { 0 }
            }
            """
        let declarations = PublicDeclarationFinder(source).declarations
        #expect(declarations.map(\.line) == [2, 4, 8])
        #expect(declarations.map(\.faults) == [[], [.noComment], []])
        #expect(declarations[1].text.hasPrefix("@inlinable public var b"))
    }
}
