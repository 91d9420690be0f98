-- keyflight.lua: shows the presses of a capture that `keyflight export --format pcapng` made, in Wireshark and tshark.
--
--   wireshark -X lua_script:Scripts/keyflight.lua presses.pcapng
--   tshark -X lua_script:Scripts/keyflight.lua -r presses.pcapng -Y keyflight.press -T fields \
--       -e frame.time_epoch -e keyflight.press -e keyflight.chord -e keyflight.outcome -e keyflight.keys
--
-- It reads the comment of each press and the report of 8 bytes or more that Wireshark found in the packet. Reports of
-- other captures get their held keys as well.

local keyflight = Proto("keyflight", "keyflight")
local fields = keyflight.fields
fields.press = ProtoField.uint32("keyflight.press", "Press")
fields.chord = ProtoField.string("keyflight.chord", "Chord")
fields.outcome = ProtoField.string("keyflight.outcome", "What came of it")
fields.keys = ProtoField.string("keyflight.keys", "Keys held")

local comment = Field.new("frame.comment")
local reports = { Field.new("usbhid.data"), Field.new("usb.capdata") }
local endpoint = Field.new("usb.endpoint_address")

local modifiers = { "ctrl", "shift", "opt", "cmd", "rightctrl", "rightshift", "rightopt", "rightcmd" }
local names = {
    [0x28] = "return", [0x29] = "esc", [0x2a] = "delete", [0x2b] = "tab", [0x2c] = "space", [0x2d] = "-",
    [0x2e] = "=", [0x2f] = "[", [0x30] = "]", [0x31] = "\\", [0x33] = ";", [0x34] = "'", [0x35] = "`",
    [0x36] = ",", [0x37] = ".", [0x38] = "/", [0x39] = "capslock", [0x4a] = "home", [0x4b] = "pageup",
    [0x4d] = "end", [0x4e] = "pagedown", [0x4f] = "right", [0x50] = "left", [0x51] = "down", [0x52] = "up",
}

local function name(usage)
    if usage >= 0x04 and usage <= 0x1d then return string.char(0x61 + usage - 0x04) end
    if usage >= 0x1e and usage <= 0x27 then return tostring((usage - 0x1d) % 10) end
    if usage >= 0x3a and usage <= 0x45 then return "f" .. (usage - 0x39) end
    return names[usage] or string.format("07:%04x", usage)
end

local function held(bytes)
    local found = {}
    for bit = 0, 7 do
        if math.floor(bytes:get_index(0) / 2 ^ bit) % 2 == 1 then found[#found + 1] = modifiers[bit + 1] end
    end
    for index = 2, bytes:len() - 1 do
        local usage = bytes:get_index(index)
        if usage > 3 then found[#found + 1] = name(usage) end
    end
    return #found > 0 and table.concat(found, " ") or "none"
end

function keyflight.dissector(buffer, packet, tree)
    local text = comment()
    local press, chord, outcome
    if text then
        press, chord, outcome = tostring(text.value):match("^press (%d+): ([^,]*),? ?(.*)$")
    end
    local bytes
    for _, report in ipairs(reports) do
        local found = report()
        if found then bytes = found.value end
    end
    local from = endpoint()
    local isBoot = bytes and bytes:len() >= 8 and (not from or tonumber(tostring(from.value)) == 0x81)
    if not press and not isBoot then return end
    local branch = tree:add(keyflight)
    if press then
        branch:add(fields.press, tonumber(press))
        branch:add(fields.chord, chord)
        if outcome ~= "" then branch:add(fields.outcome, outcome) end
        branch:append_text(": press " .. press .. " " .. chord)
    end
    if isBoot then branch:add(fields.keys, held(bytes)) end
end

register_postdissector(keyflight)
