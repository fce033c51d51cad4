public import ExternalPrograms
public import KeyedArchives
import Synchronization
import TextEncodings

/// A value transformer that is a program: it receives values and bytes as lines of JSON, and answers each with a line.
///
/// The program is started for the first value, and runs as long as the transformer exists; requests from several tasks
/// are serialized. If it has ended, or given an invalid answer, it is started again for the next value.
public final class ProgramTransformer: AttributeValueTransformer {
    private let program: ExternalProgram
    private let name: String
    private let dialog = Mutex<ProgramDialog?>(nil)

    /// Makes a transformer; the program is not started yet.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - name: the transformer's name in the model, which is passed to the program.
    public init(_ program: ExternalProgram, as name: String) {
        self.program = program
        self.name = name
    }

    /// Returns the bytes into which the program converts a value.
    /// - Throws: `ValueTransformerError` if the program refuses the value, cannot be started, ends, does not answer in
    ///   time, or gives an invalid answer.
    public func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
        var line = Array("{\"transform\":".utf8)
        try PropertyListJSON.append(value, to: &line)
        let answer = try answer(to: line)
        guard let data = answer["data"]?.string.flatMap({ Base64.decode($0) }) else {
            throw failure("its answer has no base64 as \"data\"")
        }
        return data
    }

    /// Returns the value into which the program converts bytes.
    /// - Throws: `ValueTransformerError` if the program refuses the bytes, cannot be started, ends, does not answer in
    ///   time, or gives an invalid answer.
    public func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
        let answer = try answer(to: Array("{\"reverse\":\"\(Base64.encode(bytes))\"".utf8))
        guard let value = answer["value"] else { throw failure("its answer has no \"value\"") }
        return try PropertyListJSON.value(value)
    }

    /// Sends a request, given without its closing bracket, and waits for the answer.
    private func answer(to request: [UInt8]) throws -> JSONValue {
        let (program, greeting) = (program, greeting)
        let answer: Result<JSONValue, ValueTransformerError> = dialog.withLock { dialog in
            do {
                let current = try dialog ?? ProgramDialog(program)
                current.send((dialog == nil ? greeting : []) + request + Array("}\n".utf8))
                // After a failure the program is started again.
                dialog = nil
                var answer: JSONValue?
                _ = try current.receive { received, line in
                    answer = try JSONLineParser.value(received, in: line)
                    return .endOfBatch
                }
                dialog = current
                return .success(answer ?? .null)
            } catch let error as JSONLineParser.Failure {
                return .failure(failure("column \(error.column) of its answer is not JSON: \(error.reason)"))
            } catch {
                return .failure(failure("\(error)"))
            }
        }
        let value = try answer.get()
        if let reason = value["error"] { throw failure("it says: \(reason.string ?? reason.kind)") }
        return value
    }

    private var greeting: [UInt8] {
        var line = Array("{\"ferry\":1,\"transformer\":".utf8)
        line.append(json: name.utf8.span)
        return line + Array("}\n".utf8)
    }

    private func failure(_ reason: String) -> ValueTransformerError {
        ValueTransformerError("\(name), \(program.words[0]): \(reason)")
    }
}
