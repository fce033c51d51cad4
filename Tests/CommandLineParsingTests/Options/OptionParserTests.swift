import Testing

@testable import CommandLineParsing

@Suite struct OptionParserTests {
    private func parse(_ words: String...) throws(UsageError) -> SampleOptions {
        try OptionParser<SampleOptions>.parse(words)
    }

    private func refusal(_ words: String...) -> UsageError? {
        do {
            _ = try OptionParser<SampleOptions>.parse(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func withoutWordsTheDefaultsHold() throws {
        let options = try parse()
        #expect(options.rows == 1000)
        #expect(options.output == nil)
        #expect(!options.dryRun)
        #expect(options.operands.isEmpty)
    }

    @Test func aValueFollowsItsOptionOrIsAttachedToIt() throws {
        #expect(try parse("--rows", "5").rows == 5)
        #expect(try parse("--rows=5").rows == 5)
        #expect(try parse("-n", "5").rows == 5)
    }

    @Test func valuesHaveTheirTypes() throws {
        let options = try parse(
            "--bytes", "1k", "--ratio", "-0.25", "--start", "-7", "--set", "a=b=c", "--style", "bar",
            "--fallback=plain")
        #expect(options.bytes.bytes == 1024)
        #expect(options.ratio == -0.25)
        #expect(options.start == -7)
        #expect(options.settings == [Assignment(name: "a", value: "b=c")])
        #expect(options.style == .bar)
        #expect(options.fallback == .plain)
    }

    @Test func optionsAndOperandsMix() throws {
        let options = try parse("a", "--dry-run", "b", "--rows", "2", "c")
        #expect(options.operands == ["a", "b", "c"])
        #expect(options.dryRun)
        #expect(options.rows == 2)
    }

    @Test func afterTwoDashesEverythingIsAnOperand() throws {
        let options = try parse("--dry-run", "--", "--rows", "-n", "--", "x")
        #expect(options.operands == ["--rows", "-n", "--", "x"])
        #expect(options.rows == 1000)
    }

    @Test func aSingleDashIsAnOperandAndAValue() throws {
        #expect(try parse("-").operands == ["-"])
        #expect(try parse("-o", "-").output == "-")
    }

    @Test func anAttachedValueMayBeEmptyOrHoldAnything() throws {
        #expect(try parse("--output=").output == "")
        #expect(try parse("--output=--dry-run").output == "--dry-run")
        #expect(try parse("--output=a=b").output == "a=b")
        #expect(try parse("--output", "").output == "")
    }

    @Test func aValueMayBeginWithADashUnlessItIsAnOption() throws {
        #expect(try parse("--output", "-x").output == "-x")
        #expect(refusal("--output", "--dry-run") == UsageError(.missingValue, ""))
        #expect(refusal("--output", "-d") == UsageError(.missingValue, ""))
        #expect(refusal("--output", "--rows=1") == UsageError(.missingValue, ""))
        #expect(refusal("--output", "--") == UsageError(.missingValue, ""))
    }

    @Test func aRepeatableOptionGathersItsValues() throws {
        let options = try parse("-m", "a", "--models=b", "--models", "a")
        #expect(options.models == ["a", "b", "a"])
    }

    @Test func aListIsCutAtItsSeparator() throws {
        #expect(try parse("--keys", "a,b", "--keys", "c").keys == ["a", "b", "c"])
        #expect(try parse("--models", "a,b").models == ["a,b"])
        #expect(refusal("--keys", "a,,b") == UsageError(.badValue, ""))
        #expect(refusal("--keys=") == UsageError(.badValue, ""))
    }

    @Test(arguments: [
        (["--rows", "1", "--rows", "2"], UsageError.Code.repeatedOption),
        (["--rows", "1", "-n", "2"], .repeatedOption),
        (["--dry-run", "-d"], .repeatedOption),
        (["--rows"], .missingValue),
        (["-n"], .missingValue),
        (["--rows", "many"], .badValue),
        (["--rows", "0"], .badValue),
        (["--rows", "1000001"], .badValue),
        (["--rows="], .badValue),
        (["--bytes", "4Q"], .badValue),
        (["--style", "Bar"], .badValue),
        (["--set", "a"], .badValue),
        (["--dry-run=yes"], .unexpectedValue),
        (["--unknown"], .unknownOption),
        (["--unknown=1"], .unknownOption),
        (["-x"], .unknownOption),
        (["--row", "1"], .unknownOption),
        (["-dn", "1"], .unknownOption),
        (["-n5"], .unknownOption),
        (["-n=5"], .unknownOption),
        (["---rows", "1"], .unknownOption),
    ])
    func whatIsWrongIsRefused(words: [String], code: UsageError.Code) {
        #expect(throws: UsageError(code, "")) { try OptionParser<SampleOptions>.parse(words) }
    }

    @Test func aRequiredOptionMustBeThere() throws {
        #expect(throws: UsageError.missing("")) { try OptionParser<RequiredOptions>.parse(["a"]) }
        #expect(try OptionParser<RequiredOptions>.parse(["--from", "1"]).from == "1")
    }

    @Test func theErrorNamesWhatWasTypedAndWhatIsRight() throws {
        #expect(refusal("--rows", "0")?.sentence == "--rows takes a whole number from 1 to 1000000, not \"0\"")
        #expect(refusal("--rows", "-5")?.sentence == "--rows takes a whole number from 1 to 1000000, not \"-5\"")
        #expect(
            refusal("--style", "plian")?.sentence
                == "--style takes one of auto, bar, plain, not \"plian\"; did you mean plain?")
        #expect(refusal("--modles", "x")?.sentence == "there is no option --modles; did you mean --models?")
        #expect(
            refusal("--zzz=1")?.sentence
                == "there is no option --zzz; if it is meant as an operand, put \"--\" before it")
        #expect(refusal("-n5")?.sentence == "there is no option -n5; did you mean -n 5?")
        #expect(refusal("-n")?.sentence == "-n needs a whole number from 1 to 1000000 after it")
        #expect(
            refusal("-o", "-d")?.sentence
                == "-o needs a text after it, but \"-d\" is an option itself; did you mean --output=-d?")
        #expect(refusal("--dry-run=1")?.sentence == "--dry-run takes no value; remove \"=1\"")
    }

    @Test func controlCharactersAndLongWordsDoNotReachTheTerminal() throws {
        let message = try #require(refusal("--\u{1B}[31m\u{07}" + String(repeating: "x", count: 5000))).sentence
        #expect(!message.contains("\u{1B}"))
        #expect(!message.contains("\u{07}"))
        #expect(message.count < 300)
    }
}
