import RecordSources
import Testing

@Suite struct RecordPathTests {
    private let record = #"{"a":{"b":[{"c":1},{"c":2,"d":[3,4]},{"x":0}],"@id":"i"},"e":[[5,6],[7]],"f.g":8,"h":"s"}"#

    @Test(arguments: [
        ("a.b[0].c", ["1"]), ("a.b[*].c", ["1", "2"]), ("a.b[*].d[*]", ["3", "4"]), ("a.b[1].d[1]", ["4"]),
        ("a.b[9].c", []), ("a/b[1]/c", ["2"]), ("a.@id", ["i"]), ("a@id", ["i"]), ("e[*][*]", ["5", "6", "7"]),
        ("e[1][0]", ["7"]), ("\"f.g\"", ["8"]), ("h", ["s"]), ("h[*]", ["s"]), ("h[0]", ["s"]), ("h.x", []),
        ("nothing", []),
    ])
    func aPathLeadsToItsValues(path: String, values: [String]) throws {
        var names = FieldNames()
        let compiled = try RecordPath(path, names: &names)
        var source = try JSONSource(
            ByteInput(bytes: Array(record.utf8), name: "t"), paths: [compiled], names: names)
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        var found: [String] = []
        compiled.visit(batch.nodes, from: Int(batch[0].rootNode)) { node in
            found.append(batch.text(of: compiled.value(batch.nodes, at: node)))
            return true
        }
        #expect(found == values)
        #expect(batch.text(of: batch.field(0, of: 0)) == values.first ?? "")
    }

    @Test(arguments: [
        ("", 0), ("a.", 2), (".a", 0), ("a..b", 2), ("a[", 1), ("a[x]", 1), ("a[-1]", 1), ("a]", 1), ("\"a", 2),
        ("@", 1),
        ("a[1]b", 4),
    ])
    func aPathThatIsNoneSaysWhere(path: String, offset: Int) {
        var names = FieldNames()
        let error = #expect(throws: RecordPathError.self) { try RecordPath(path, names: &names) }
        #expect(error?.offset == offset)
    }

    @Test func namesKeepTheirNumbersAsMoreCome() throws {
        var names = FieldNames()
        let numbers = (0..<1000).map { names.number(of: "name\($0)") }
        #expect(numbers == Array(0..<1000))
        #expect((0..<1000).map { names.number(of: "name\($0)") } == numbers)
        #expect(names.names.count == 1000)
    }
}
