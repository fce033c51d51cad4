import ExternalPrograms
import Testing

/// Programs that answer line by line.
@Suite struct ProgramDialogTests {
    private func program(_ script: String, patience: Int64 = 60) throws -> ExternalProgram {
        var program = try #require(ExternalProgram("sh -c '\(script)'"))
        program.patience = patience
        return program
    }

    @Test(
        arguments: [
            ("a b", ["a", "b"]), (" a  'b c'\t\"d e\"\n", ["a", "b c", "d e"]), (#"a\ b '' "\"""#, ["a b", "", "\""]),
            ("a'b'c", ["abc"]), (#"'\'"#, ["\\"]),
        ])
    func commandLinesAreSplitAtSpaces(text: String, words: [String]) {
        #expect(ExternalProgram(text)?.words == words)
    }

    @Test(arguments: ["", "  ", "'a", "\"a", "a\\", "'' a", "a \0"]) func whatIsNoCommandLineIsNone(text: String) {
        #expect(ExternalProgram(text) == nil)
    }

    /// Batches are sent while answers are received: neither side waits for the other, however little is read at once.
    @Test(arguments: [1, 2, 3, 7, 64 << 10]) func answersComeInWholeLines(piece: Int) throws {
        let program = try program("exec cat")
        var limits = DialogLimits()
        limits.piece = piece
        let dialog = try ProgramDialog(program, limits)
        let count = piece < 100 ? 100 : 20_000
        let sent = (0..<3).map { batch in (0..<count).map { "\(batch) \($0) " + String(repeating: "x", count: $0 % 90) }
        }
        for batch in sent { dialog.send(Array((batch.joined(separator: "\n") + "\r\n\n").utf8)) }
        for batch in sent {
            #expect(dialog.batchesInFlight > 0)
            var lines: [String] = []
            let isAnswered = try dialog.receive { bytes, line in
                lines.append(String(decoding: bytes[line], as: UTF8.self))
                return lines.count == count ? .endOfBatch : .more
            }
            #expect(isAnswered && lines == batch)
        }
        #expect(dialog.batchesInFlight == 0)
        dialog.endInputWhenSent()
        try dialog.finish()
    }

    @Test(arguments: [1, 2, 3, 7]) func lineThatIsTooLongIsAnError(piece: Int) throws {
        let program = try program("echo 123456789012345678901234567890; exec cat")
        var limits = DialogLimits()
        (limits.piece, limits.line) = (piece, 7)
        let dialog = try ProgramDialog(program, limits)
        dialog.send([0x0A])
        let error = #expect(throws: ProgramError.self) { _ = try dialog.receive { _, _ in .more } }
        #expect(error?.description == "a line of its answer is longer than 7 bytes")
    }

    @Test(
        arguments: [
            ("exit 4", "it ended with status 4 before it had answered the batch"),
            ("kill -9 $$", "it was ended by signal 9 before it had answered the batch"),
            ("exec sleep 600 >&-", "it closed its output before it had answered the batch"),
            ("exec sleep 600", "it has written nothing for 1 seconds and still owes answers; it was ended"),
        ])
    func programThatOwesAnswersIsAnError(script: String, reason: String) throws {
        let program = try program(script, patience: 1)
        let dialog = try ProgramDialog(program)
        dialog.send(Array("x\n".utf8))
        let error = #expect(throws: ProgramError.self) { _ = try dialog.receive { _, _ in .more } }
        #expect(error?.description == reason)
        dialog.end()
    }

    @Test func cancellationEndsTheWaiting() throws {
        let program = try program("exec sleep 600")
        let dialog = try ProgramDialog(program, isCancelled: { true })
        dialog.send(Array("x\n".utf8))
        #expect(throws: ProgramCancelled.self) { _ = try dialog.receive { _, _ in .more } }
    }
}
